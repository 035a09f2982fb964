import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Frame } from '../support/agent-client.js'
import { cards, contentText, messageText } from '../support/cards.js'
import { makeDirectory } from '../support/directory.js'
import { shareLocalAgent, startLocalAgent } from '../support/local-agent.js'

const details = (pattern: RegExp) => ({ data: { details: expect.stringMatching(pattern) } })

describe('a request that cannot be met', () => {
  const shared = shareLocalAgent()

  it('unknown methods are answered -32601 by name, unknown notifications not at all', async () => {
    const agent = shared()
    agent.send({ method: 'no/such/notification', params: {} })
    const answer = await agent.request('no/such/method', { x: 1 })
    expect(answer.error).toMatchObject({ code: -32601, ...details(/no\/such\/method/) })
    const long = await agent.request('x'.repeat(2_000_000))
    expect(JSON.stringify(long).length).toBeLessThan(20_000)
  })

  it('missing and malformed params are answered -32602 with what is wrong', async () => {
    const agent = shared()
    const sessionId = await agent.newSession(makeDirectory())
    const wrong: [string, unknown][] = [
      ['session/new', {}],
      ['session/new', { cwd: 5, mcpServers: [] }],
      ['session/load', { cwd: '/' }],
      ['session/prompt', { sessionId }],
      ['session/prompt', { sessionId, prompt: 'text' }],
      ['session/prompt', { prompt: [] }],
      ['session/close', {}],
      ['session/set_mode', { sessionId }],
    ]
    for (const [method, params] of wrong) {
      const { error } = await agent.request(method, params as object)
      expect({ method, params, error }).toMatchObject({ error: { code: -32602, ...details(/./) } })
    }
    const { error } = await agent.request('session/new', { mcpServers: [] })
    expect(error.data.details).toMatch(/cwd/)
  })

  it.each<[string, object, string]>([
    [
      'a server of no kind',
      { mcpServers: [{ name: 'x' }] },
      'mcpServers.0.url: expected string, received undefined; mcpServers.0.headers: expected array, received undefined; mcpServers.0.type: expected "http" or "sse"; mcpServers.0.command: expected string, received undefined; mcpServers.0.args: expected array, received undefined; and 1 more',
    ],
    [
      'a wrong command',
      { mcpServers: [{ name: 'x', command: 5, args: [], env: [] }] },
      'mcpServers.0.command: expected string, received number; mcpServers.0.url: expected string, received undefined; mcpServers.0.headers: expected array, received undefined; mcpServers.0.type: expected "http" or "sse"',
    ],
  ])('wrong params are named once each, what is there first: %s', async (_what, params, words) => {
    const { error } = await shared().request('session/new', { cwd: makeDirectory(), ...params })
    expect(error).toMatchObject({ code: -32602, data: { details: words } })
  })

  it('a session that is not there: each method answers as the protocol says', async () => {
    const agent = shared()
    const cwd = makeDirectory()
    const ask = async (sessionId: string) => {
      const place = { sessionId, cwd, mcpServers: [] }
      const answers: Record<string, Frame> = {
        prompt: await agent.prompt(sessionId, '!true'),
        load: await agent.request('session/load', place),
        resume: await agent.request('session/resume', place),
        close: await agent.request('session/close', { sessionId }),
        mode: await agent.request('session/set_mode', { sessionId, modeId: 'ask' }),
        option: await agent.request('session/set_config_option', { sessionId, configId: 'mode', value: 'ask' }),
        delete: await agent.request('session/delete', { sessionId }),
      }
      return Object.fromEntries(
        Object.entries(answers).map(([name, { result, error }]) => [name, error?.code ?? result]),
      )
    }
    const codes = {
      prompt: -32602,
      load: -32002,
      resume: -32002,
      close: -32002,
      mode: -32602,
      option: -32602,
      delete: {},
    }
    for (const id of ['00000000-0000-4000-8000-000000000000', '../../etc/passwd', '', 'x'.repeat(3_000_000)]) {
      expect(await ask(id)).toEqual(codes)
    }
    for (const frame of agent.frames) expect(JSON.stringify(frame).length).toBeLessThan(20_000)
  })

  it('modes and options that do not exist are refused by name', async () => {
    const agent = shared()
    const sessionId = await agent.newSession(makeDirectory())
    const mode = await agent.request('session/set_mode', { sessionId, modeId: 'no-such-mode' })
    expect(mode.error).toMatchObject({ code: -32602, ...details(/no-such-mode/) })
    const params = { sessionId, configId: 'no-such-option', value: 'x' }
    const option = await agent.request('session/set_config_option', params)
    expect(option.error).toMatchObject({ code: -32602, ...details(/no-such-option/) })
  })
})

describe('the directory of a session', () => {
  const shared = shareLocalAgent('terminal_output')

  it('must be absolute and exist, for new, load and resume (B71)', async () => {
    const agent = shared()
    const cwd = makeDirectory()
    writeFileSync(join(cwd, 'file'), '')
    const sessionId = await agent.newSession(cwd)
    await agent.prompt(sessionId, '!true')
    for (const wrong of ['.', 'rel/dir', '', join(cwd, 'none'), join(cwd, 'file'), '/nul\0dir']) {
      for (const method of ['session/new', 'session/load', 'session/resume']) {
        const { error } = await agent.request(method, { sessionId, cwd: wrong, mcpServers: [] })
        expect({ method, wrong, error }).toMatchObject({
          error: { code: -32602, ...details(/absolute|does not exist/) },
        })
      }
    }
    expect((await agent.prompt(sessionId, '!true')).result).toEqual({ stopReason: 'end_turn' })
  })

  it('that vanishes while the session is open fails the calls, says why, and can come back', async () => {
    const agent = shared()
    const cwd = join(makeDirectory(), 'sub')
    mkdirSync(cwd)
    const sessionId = await agent.newSession(cwd)
    await agent.prompt(sessionId, '!pwd')
    rmSync(cwd, { recursive: true })
    expect((await agent.prompt(sessionId, '!pwd\n/read a.txt\n/glob *\n/grep x')).result).toEqual({
      stopReason: 'end_turn',
    })
    const gone = cards(agent.updates(sessionId)).slice(1)
    expect(gone.map(card => card.fields.status)).toEqual(['failed', 'failed', 'failed', 'failed'])
    expect(contentText(gone[0]!)).toMatch(/does not exist/)
    mkdirSync(cwd)
    const from = agent.frames.length
    await agent.prompt(sessionId, '!pwd')
    expect(cards(agent.updates(sessionId, from))).toMatchObject([{ fields: { status: 'completed' } }])
  })
})

it('requests before initialize are refused with the reason, and it can still come', async () => {
  const agent = await startLocalAgent()
  const cwd = makeDirectory()
  expect((await agent.prompt('none', '!true')).error).toMatchObject({ code: -32600, ...details(/initialized/) })
  const early = await agent.request('session/new', { cwd, mcpServers: [] })
  expect(early.error).toMatchObject({ code: -32600, ...details(/initialized/) })
  await agent.initialize()
  const sessionId = await agent.newSession(cwd)
  await agent.prompt(sessionId, 'hello')
  expect(messageText(agent.updates(sessionId))).toMatch(/No model/)
})
