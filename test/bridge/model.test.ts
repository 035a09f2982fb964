import { existsSync } from 'node:fs'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { methods, type SessionUpdate } from '@agentclientprotocol/sdk'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HarnessError } from '../../src/cards/index.js'
import { asks, finish, says, silence, sketch, thinks } from '../agent/model/support.js'
import { foldUpdates } from '../support/fold.js'
import { connect } from './connected-agent.js'
import { connectModel } from './model-support.js'

const kinds = (updates: readonly SessionUpdate[]) => updates.map(update => update.sessionUpdate)
const saidIn = (updates: readonly SessionUpdate[]) =>
  updates
    .map(update =>
      update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : '',
    )
    .join('')

async function sharedPlace(): Promise<string> {
  const place = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-model-')))
  onTestFinished(() => rm(place, { recursive: true, force: true }))
  return place
}

describe('a prompt with a model', () => {
  it('shows thoughts, words and cards as they come, under their messageIds', async () => {
    const agent = await connectModel([
      [
        thinks('hm'),
        { type: 'thought-end', id: 'b1' },
        says('I look.'),
        ...asks('m1', 'glob', '{"pattern": "*"}'),
        finish(),
      ],
      [says('Nothing.'), finish()],
    ])
    const id = await agent.newSession()
    expect(await agent.prompt(id, 'look')).toBe('end_turn')
    const updates = agent.updates(id).filter(({ sessionUpdate }) => !sessionUpdate.startsWith('available'))
    expect(kinds(updates)).toEqual([
      'session_info_update',
      'agent_thought_chunk',
      'agent_message_chunk',
      'tool_call',
      'tool_call_update',
      'tool_call_update',
      'agent_message_chunk',
    ])
    const messageIds = updates.flatMap(update => ('messageId' in update ? [update.messageId] : []))
    expect(new Set(messageIds).size).toBe(3)
  })

  it('shows the title and the place of an edit before its new text has come', async () => {
    const path = join(await sharedPlace(), 'a.ts')
    let seen: SessionUpdate[] = []
    const agent = await connectModel([
      async function* () {
        yield { type: 'call-start', id: 'm1', name: 'edit' }
        yield {
          type: 'call-delta',
          id: 'm1',
          text: `{"path": ${JSON.stringify(path)}, "old_string": "x", "new_string": "`,
        }
        while (!agent.updates(id).some(({ sessionUpdate }) => sessionUpdate === 'tool_call')) {
          await new Promise(setImmediate)
        }
        seen = agent.updates(id).filter(({ sessionUpdate }) => sessionUpdate === 'tool_call')
        yield { type: 'call-delta', id: 'm1', text: 'y"}' }
        const args = { path, old_string: 'x', new_string: 'y' }
        yield { type: 'call', id: 'm1', name: 'edit', arguments: JSON.stringify(args) }
        yield finish('tool-calls')
      },
      [says('ok'), finish()],
    ])
    const id = await agent.newSession()
    await agent.prompt(id, 'edit')
    expect(seen).toEqual([expect.objectContaining({ kind: 'edit', status: 'pending', locations: [{ path }] })])
    expect(seen[0]).toHaveProperty('title', expect.stringContaining('a.ts'))
    expect(seen[0]).not.toHaveProperty('content')
  })

  it('tells how full the window is, and what it cost, only where that is known', async () => {
    const usage = { input: 1000, output: 10 }
    const answers = [[says('ok'), finish('stop', usage)]] as const
    const known = await connectModel(answers, { facts: { contextSize: 5000, price: { input: 1, output: 1 } } })
    const id = await known.newSession()
    await known.prompt(id, 'hi')
    expect(known.updates(id)).toContainEqual({
      sessionUpdate: 'usage_update',
      used: 1010,
      size: 5000,
      cost: { amount: expect.closeTo(0.00101), currency: 'USD' },
    })
    const unknown = await connectModel(answers)
    const other = await unknown.newSession()
    await unknown.prompt(other, 'hi')
    expect(kinds(unknown.updates(other))).not.toContain('usage_update')
  })

  it('sends notices and compactions only to a client that takes them', async () => {
    const answers = [
      [{ type: 'notice', text: 'Trying again in 2 s.' } as const, says('Hello.'), finish()],
      [says('They greeted.'), finish()],
    ]
    const run = async (capabilities: object) => {
      const agent = await connectModel(answers, { capabilities })
      const id = await agent.newSession()
      await agent.prompt(id, 'hi')
      await agent.prompt(id, '/compact')
      return agent.updates(id)
    }
    const told = await run({ session: { notices: {}, compaction: {} } })
    expect(told).toContainEqual({ sessionUpdate: 'notice', severity: 'info', title: 'Trying again in 2 s.' })
    expect(told).toContainEqual(
      expect.objectContaining({
        sessionUpdate: 'compaction_update',
        status: 'completed',
        summary: [{ type: 'text', text: 'They greeted.' }],
      }),
    )
    const plain = await run({})
    expect(kinds(plain).filter(kind => kind === 'notice' || kind === 'compaction_update')).toEqual([])
    expect(JSON.stringify(plain.filter(({ sessionUpdate }) => sessionUpdate === 'agent_thought_chunk'))).toContain(
      'Trying again',
    )
  })

  it('with a key that its provider rejects is -32000, with the next step (B71)', async () => {
    const agent = await connectModel([[new HarnessError('MODEL_AUTH', 'Run "deckhand login".')]])
    const id = await agent.newSession()
    await expect(agent.prompt(id, 'hi')).rejects.toMatchObject({
      code: -32000,
      data: { details: 'Run "deckhand login".' },
    })
    await expect(agent.prompt(id, '/help')).resolves.toBe('end_turn')
  })

  it('writes nothing and runs nothing while nobody answers', async () => {
    const agent = await connectModel(
      [
        [
          ...asks('m1', 'write', '{"path": "new.txt", "content": "x"}'),
          ...asks('m2', 'bash', '{"command": "touch ran"}'),
          finish(),
        ],
        [says('back'), finish()],
      ],
      { answer: () => new Promise(() => {}) },
    )
    const id = await agent.newSession()
    const prompt = agent.prompt(id, 'go')
    while (!agent.frames.some(({ msg }) => JSON.stringify(msg).includes('session/request_permission'))) {
      await new Promise(setImmediate)
    }
    await agent.connection.agent.notify(methods.agent.session.cancel, { sessionId: id })
    expect(await prompt).toBe('cancelled')
    expect([existsSync(join(agent.cwd, 'new.txt')), existsSync(join(agent.cwd, 'ran'))]).toEqual([false, false])
    expect(await agent.prompt(id, 'again')).toBe('end_turn')
    expect(sketch(agent.requests[1]!)).toEqual([
      'user: go',
      'assistant: write(m1) bash(m2)',
      'tool: m1=error-text m2=error-text',
      'user: again',
    ])
  })
})

describe('a session that is loaded', () => {
  it.each(['load', 'resume'] as const)('by %s goes on with the conversation exactly, and looks the same', async how => {
    const place = await sharedPlace()
    await writeFile(join(place, 'a.txt'), 'hello\n')
    const stateDir = join(place, 'state')
    const first = await connectModel(
      [
        [
          thinks('plan'),
          { type: 'thought-end', id: 'b1', meta: { anthropic: { signature: 's' } } },
          ...asks('m1', 'read', '{"path": "a.txt"}'),
          ...asks('m2', 'read', '{"path": '),
          finish('tool-calls', { input: 100, output: 5 }),
        ],
        [says('It says hello.'), finish('stop', { input: 200, output: 5 })],
        silence,
      ],
      { stateDir, facts: { contextSize: 1000 } },
    )
    const id = await first.newSession(place)
    await first.prompt(id, 'read it')
    const cut = first.prompt(id, 'and then')
    while (first.requests.length < 3) await new Promise(setImmediate)
    await first.connection.agent.notify(methods.agent.session.cancel, { sessionId: id })
    await cut
    const live = first.updates(id)
    await first.agent.close()

    const second = await connectModel([[says('ok'), finish()]], { stateDir, facts: { contextSize: 1000 } })
    const params = { sessionId: id, cwd: place, mcpServers: [] }
    if (how === 'load') {
      await second.connection.agent.request(methods.agent.session.load, params)
      const withoutUser = { user: false }
      expect(foldUpdates(second.updates(id), withoutUser)).toEqual(foldUpdates(live, withoutUser))
    } else await second.connection.agent.request(methods.agent.session.resume, params)
    await second.prompt(id, 'go on')
    const [sent] = second.requests
    const before = first.requests[2]?.prompt ?? []
    expect(sent?.prompt.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
    expect(sketch({ prompt: sent?.prompt ?? [] })).toEqual([
      'user: read it',
      'assistant: <plan> read(m1) read(m2)',
      'tool: m1=text m2=error-text',
      'assistant: It says hello.',
      'user: and then \n\ngo on',
    ])
  })
})

describe('an agent without a model', () => {
  it('answers plain words with what to do, and runs commands (B71)', async () => {
    const agent = await connect()
    const id = await agent.newSession()
    expect(await agent.prompt(id, 'hello there')).toBe('end_turn')
    expect(saidIn(agent.updates(id))).toMatch(/deckhand login/)
    expect(await agent.prompt(id, '/glob *')).toBe('end_turn')
    expect(kinds(agent.updates(id))).toContain('tool_call')
  })

  it('that is chosen wrongly says so, and the console still works', async () => {
    const agent = await connect({ env: { DECKHAND_MODEL: 'nope/x' } })
    const id = await agent.newSession()
    expect(await agent.prompt(id, 'hello')).toBe('end_turn')
    expect(saidIn(agent.updates(id))).toMatch(/DECKHAND_MODEL names the unknown provider/)
    expect(await agent.prompt(id, '!true')).toBe('end_turn')
  })

  it('whose key is missing says so as a message, not as an error', async () => {
    const agent = await connect({ env: { DECKHAND_MODEL: 'deepseek/deepseek-flash' } })
    const id = await agent.newSession()
    expect(await agent.prompt(id, 'hello')).toBe('end_turn')
    expect(saidIn(agent.updates(id))).toMatch(/no key for deepseek.*deckhand login deepseek/)
  })
})

describe('the slash menu', () => {
  it('has the tools without a model; with one only what is a command then', async () => {
    const names = (updates: readonly SessionUpdate[]) =>
      updates.flatMap(update =>
        update.sessionUpdate === 'available_commands_update' ? update.availableCommands.map(({ name }) => name) : [],
      )
    const shown = async (agent: Awaited<ReturnType<typeof connect>>) => {
      const id = await agent.newSession()
      while (names(agent.updates(id)).length === 0) await new Promise(setImmediate)
      return names(agent.updates(id))
    }
    expect(await shown(await connect())).toEqual(expect.arrayContaining(['read', 'bash', 'call', 'help']))
    expect(await shown(await connectModel([]))).toEqual(['call', 'help', 'tools', 'compact'])
  })
})
