import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { methods, RequestError, type RequestPermissionResponse } from '@agentclientprotocol/sdk'
import type { Context, Plugin } from 'cordis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fromPermissionResponse } from '../../src/bridge/dialogs/permission-dialog.js'
import { createHost } from '../../src/bridge/host-plugins.js'
import { toClientProfile } from '../../src/bridge/render/profile.js'
import { runSingleCall } from '../../src/bridge/single-call.js'
import { SessionStore } from '../../src/session/index.js'
import { rawTool } from '../registry/support.js'
import { foldUpdates } from '../support/fold.js'
import {
  type Answer,
  type Call,
  cancelled,
  connectAsked,
  logged,
  never,
  outline,
  select,
} from './permission-support.js'

const TWO: Call[] = [
  ['write', { path: 'a.txt', content: 'one\n' }],
  ['write', { path: 'b.txt', content: 'two\n' }],
]

describe('a question to the user', () => {
  it('comes after its tool_call, with the whole card, and before in_progress (B56, B57)', async () => {
    const connected = await connectAsked(
      [['edit', { path: 'a.txt', old_string: 'old', new_string: 'new' }]],
      async () => {
        await new Promise(resolve => setTimeout(resolve, 50))
        expect(outline(connected)).toEqual(['1 pending', '1 asked'])
        return { outcome: { outcome: 'selected', optionId: 'allow_once' } }
      },
    )
    const { cwd, dialogs } = connected
    await writeFile(join(cwd, 'a.txt'), 'old\n')
    const id = await connected.newSession()
    expect(await connected.prompt(id, 'go')).toBe('end_turn')
    expect(outline(connected)).toEqual(['1 pending', '1 asked', '1 in_progress', '1 completed', 'text'])
    const [call] = connected.updates(id).filter(update => update.sessionUpdate === 'tool_call')
    const { sessionUpdate: _type, ...card } = { ...call }
    expect(dialogs[0]?.request.toolCall).toEqual(card)
    expect(dialogs[0]?.request.toolCall.content).toEqual([
      { type: 'diff', path: join(cwd, 'a.txt'), oldText: 'old', newText: 'new' },
    ])
    expect(dialogs[0]?.request.options).toEqual([
      { kind: 'allow_once', optionId: 'allow_once', name: 'Allow' },
      { kind: 'allow_always', optionId: 'allow_always', name: 'Allow edits in this thread' },
      { kind: 'reject_once', optionId: 'reject_once', name: 'Reject' },
      { kind: 'reject_always', optionId: 'reject_always', name: 'Reject in this session from now on' },
    ])
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('new\n')
  })

  it('leaves allow_always out where nothing may be remembered', async () => {
    const connected = await connectAsked([['write', { path: 'AGENTS.md', content: '' }]], select('reject_once'))
    await connected.prompt(await connected.newSession(), 'go')
    expect(connected.dialogs[0]?.request.options.map(({ kind }) => kind)).toEqual([
      'allow_once',
      'reject_once',
      'reject_always',
    ])
  })

  it('a refusal fails one call and the turn goes on (B59)', async () => {
    const connected = await connectAsked(TWO, (_dialog, index) =>
      index === 0 ? select('reject_once')(_dialog, index) : select('allow_once')(_dialog, index),
    )
    const id = await connected.newSession()
    expect(await connected.prompt(id, 'go')).toBe('end_turn')
    expect(connected.results[0]?.map(({ error }) => error?.code)).toEqual(['REFUSED', undefined])
    expect(connected.results[0]?.[0]?.content).toEqual([
      { type: 'text', text: expect.stringContaining('The user refused this call') },
    ])
    expect(outline(connected)).toEqual([
      '1 pending',
      '2 pending',
      '1 asked',
      '1 failed',
      '2 asked',
      '2 in_progress',
      '2 completed',
      'text',
    ])
  })

  it.each<[string, Answer]>([
    ['an unknown option', select('allow_everything')],
    ['allow_always where it was not offered', select('allow_always')],
  ])('%s counts as a refusal (B59)', async (_what, answer) => {
    const connected = await connectAsked([['write', { path: '.envrc', content: '' }]], answer)
    expect(await connected.prompt(await connected.newSession(), 'go')).toBe('end_turn')
    expect(connected.results[0]?.[0]?.error?.code).toBe('REFUSED')
  })

  it('an unknown outcome counts as a refusal (B59)', () => {
    const response = {
      outcome: { outcome: 'postponed', optionId: 'allow_once' },
    } as unknown as RequestPermissionResponse
    expect(fromPermissionResponse(response, {})).toBe('reject_once')
  })

  it.each<[string, Answer | null, string]>([
    ['does not know the method', null, 'Method not found'],
    ['fails', () => Promise.reject(new RequestError(-32603, 'no window is open')), 'no window is open'],
  ])('a client that %s refuses, with the reason', async (_what, answer, reason) => {
    const connected = await connectAsked(TWO, answer)
    expect(await connected.prompt(await connected.newSession(), 'go')).toBe('end_turn')
    const [first] = connected.results[0] ?? []
    expect(first?.error?.code).toBe('REFUSED')
    expect(JSON.stringify(first?.content)).toContain(reason)
  })

  it('the outcome cancelled ends the turn as cancelled, and nothing more is asked (B59)', async () => {
    const connected = await connectAsked(TWO, cancelled)
    const id = await connected.newSession()
    expect(await connected.prompt(id, 'go')).toBe('cancelled')
    expect(connected.dialogs).toHaveLength(1)
    expect(outline(connected)).toEqual(['1 pending', '2 pending', '1 asked', '1 failed', '2 failed'])
    expect(await connected.prompt(id, 'again')).toBe('cancelled')
  })

  it('is the only one of its session, also when calls run together and when others than the gate ask', async () => {
    let open = 0
    let most = 0
    const asking: Plugin = {
      name: 'asking',
      apply(ctx: Context) {
        ctx.on('tools/execute', async (exec, next) => {
          await ctx.get('approver')?.ask({ exec, reason: 'it is asked twice', signal: exec.signal })
          return next()
        })
      },
    }
    const together = rawTool('together', { effects: () => undefined, isConcurrencySafe: () => true })
    const tool: Plugin = {
      name: 'together',
      inject: ['tools'],
      apply: (ctx: Context) => void ctx.tools.register(together),
    }
    const connected = await connectAsked(
      [
        ['together', {}],
        ['together', {}],
        ['together', {}],
      ],
      async () => {
        most = Math.max(most, ++open)
        await new Promise(resolve => setTimeout(resolve, 10))
        open--
        return { outcome: { outcome: 'selected', optionId: 'allow_once' } }
      },
      { plugins: [asking, tool] },
    )
    expect(await connected.prompt(await connected.newSession(), 'go')).toBe('end_turn')
    expect(connected.dialogs).toHaveLength(6)
    expect(most).toBe(1)
  })

  it('session/cancel ends the wait, takes the request back and closes the card (B53)', async () => {
    const connected = await connectAsked(TWO, never)
    const id = await connected.newSession()
    const turn = connected.prompt(id, 'go')
    while (connected.dialogs.length === 0) await new Promise(resolve => setImmediate(resolve))
    await connected.connection.agent.notify(methods.agent.session.cancel, { sessionId: id })
    expect(await turn).toBe('cancelled')
    expect(connected.dialogs[0]?.signal.aborted).toBe(true)
    expect(outline(connected)).toEqual(
      expect.arrayContaining(['1 pending', '2 pending', '1 asked', 'taken back', '1 failed', '2 failed']),
    )
  })

  it('session/close ends the wait, and the prompt is answered cancelled', async () => {
    const connected = await connectAsked(TWO, never)
    const id = await connected.newSession()
    const turn = connected.prompt(id, 'go')
    while (connected.dialogs.length === 0) await new Promise(resolve => setImmediate(resolve))
    await connected.connection.agent.request(methods.agent.session.close, { sessionId: id })
    expect(await turn).toBe('cancelled')
  })

  it('a connection that ends while a question is open leaves nothing behind but failed calls in the log', async () => {
    const connected = await connectAsked(TWO, never)
    const id = await connected.newSession()
    const turn = connected.prompt(id, 'go').catch(() => 'gone')
    while (connected.dialogs.length === 0) await new Promise(resolve => setImmediate(resolve))
    await connected.agent.close()
    connected.connection.close()
    expect(await turn).toBe('gone')
    const events = await logged(connected, id)
    expect(events.filter(({ type }) => type === 'tool/running')).toEqual([])
    expect(events.filter(({ type }) => type === 'tool/result')).toHaveLength(2)
    expect(events.at(-1)).toMatchObject({ type: 'turn/end', stopReason: 'cancelled' })
  })

  it('stands in the log before it is shown, and its answer before it counts', async () => {
    const connected = await connectAsked(TWO, async ({ request }) => {
      const asked = (await logged(connected, request.sessionId)).filter(({ type }) => type === 'permission/asked')
      expect(asked).toHaveLength(connected.dialogs.length)
      return { outcome: { outcome: 'selected', optionId: 'reject_once' } }
    })
    const id = await connected.newSession()
    await connected.prompt(id, 'go')
    const types = (await logged(connected, id)).map(({ type }) => type).filter(type => /permission|result/.test(type))
    expect(types).toEqual([
      'permission/asked',
      'permission/answered',
      'tool/result',
      'permission/asked',
      'permission/answered',
      'tool/result',
    ])
  })

  it('a command whose title is cut stands whole in the question, and the card gets its own content back', async () => {
    const command = `touch ${'x'.repeat(30)} ${Array.from({ length: 60 }, (_, i) => `f${i}`).join(' ')}\u202e`
    const connected = await connectAsked([['bash', { command, description: 'many files' }]], select('allow_once'))
    const id = await connected.newSession()
    await connected.prompt(id, 'go')
    const content = JSON.stringify(connected.dialogs[0]?.request.toolCall.content)
    expect(content).toContain('f59')
    const running = connected.updates(id).find(update => 'status' in update && update.status === 'in_progress')
    expect(running).toMatchObject({
      content: [{ type: 'content', content: { type: 'text', text: 'many files' } }, { type: 'terminal' }],
    })
  })
})

describe('a question that nobody answered', () => {
  it('is an interrupted call after a load', async () => {
    const connected = await connectAsked([], select('allow_once'))
    const { cwd, stateDir, connection } = connected
    const log = new SessionStore(stateDir).create({ cwd, roots: [cwd] })
    const sessionId = log.header.id
    log.append({ type: 'turn/start', turnId: 'turn-1' })
    log.append({ type: 'user/message', messageId: 'u', content: [{ type: 'text', text: 'go' }] })
    log.append({
      type: 'tool/call',
      callId: 'c-1',
      name: 'write',
      arguments: { path: 'a', content: '' },
      origin: 'model',
    })
    log.append({ type: 'permission/asked', callId: 'c-1', question: 'it changes a' })
    await log.close()
    await connection.agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] })
    const [card] = foldUpdates(connected.updates(sessionId)).entries.filter(entry => entry.type === 'call')
    expect(card?.fields).toMatchObject({ status: 'failed' })
    expect(JSON.stringify(card?.fields.content)).toContain('[interrupted]')
  })

  it('cannot be put where there is no editor: a call from the command line is refused, and says so', async () => {
    const { cwd, stateDir } = await connectAsked([], null)
    const host = createHost([], () => {}, { stateDir })
    onTestFinished(() => host.close())
    await host.ready
    const call = (path: string) =>
      runSingleCall({
        ctx: host.ctx,
        name: 'write',
        arguments: { path, content: 'x' },
        cwd,
        profile: toClientProfile({}),
        signal: new AbortController().signal,
        onUpdate: () => {},
      })
    expect((await call('inside.txt'))?.isError).toBe(false)
    const outside = await call('../outside.txt')
    expect(outside?.error?.code).toBe('REFUSED')
    expect(JSON.stringify(outside?.content)).toContain('nobody can be asked here')
  })
})
