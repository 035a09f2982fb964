import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Frame } from '../support/agent-process.js'
import { cards, contentText, makeDirectory, messageText, openAgent, shareAgent, startAgent } from './support.js'

const details = (pattern: RegExp) => ({ data: { details: expect.stringMatching(pattern) } })

describe('a line that is no request', () => {
  const agent = shareAgent()

  it.each([
    ['malformed JSON', '{"jsonrpc": "2.0", "id": 1, "method"', -32700],
    ['a JSON array', '[{"jsonrpc":"2.0","id":1,"method":"session/list","params":{}}]', -32600],
    ['a string', '"hello"', -32600],
    ['a long string', `"${'x'.repeat(3_000_000)}"`, -32600],
    ['a number', '5', -32600],
    ['null', 'null', -32600],
    [
      'an object without a method',
      `{"jsonrpc":"2.0","params":{"deep":[[[]]],"long":"${'x'.repeat(3_000_000)}"}}`,
      -32600,
    ],
    ['another JSON-RPC version', '{"jsonrpc":"1.0","id":1,"method":"session/list"}', -32600],
    ['a method that is no string', '{"jsonrpc":"2.0","id":1,"method":5}', -32600],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"session/list"}', -32600],
    ['bytes that are no UTF-8', new Uint8Array([0xff, 0xfe, 0x00]), -32700],
    ['deep nesting', '['.repeat(200_000), -32700],
  ])(
    '%s is answered with an error and id null, without an echo, and the next request works',
    async (_what, line, code) => {
      const from = agent().frames.length
      agent().write(line)
      agent().write('\n')
      expect((await agent().request('session/list')).result).toEqual({ sessions: [] })
      const answers = agent()
        .frames.slice(from)
        .filter(frame => frame.id === null)
      expect(answers).toMatchObject([{ error: { code, ...details(/./) } }])
      expect(JSON.stringify(answers).length).toBeLessThan(10_000)
    },
  )

  it('blank lines and CRLF are taken in silence', async () => {
    const agent = startAgent()
    agent.write('\n  \n\r\n')
    agent.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } })}\r\n`,
    )
    expect((await agent.frame(frame => frame.id === 1)).result).toMatchObject({ protocolVersion: 1 })
    expect(agent.frames).toHaveLength(1)
  })

  it('a line of 40 MB is dropped and answered, an echo of it is not sent, and the next request works', async () => {
    const from = agent().frames.length
    const chunk = 'x'.repeat(1024 * 1024)
    agent().write('{"jsonrpc":"2.0","id":7,"method":"session/list","params":{"cwd":"')
    for (let count = 0; count < 40; count++) agent().write(chunk)
    agent().write('"}}\n')
    expect((await agent().request('session/list')).result).toEqual({ sessions: [] })
    const answers = agent()
      .frames.slice(from)
      .filter(frame => frame.id === null)
    expect(answers).toMatchObject([{ error: { code: -32700, ...details(/longer than/) } }])
  })

  it('a response to a request that was never made is ignored', async () => {
    const agent = await openAgent()
    agent.send({ id: 99, result: {} })
    agent.send({ id: 99, error: { code: 1, message: 'x' } })
    agent.send({ result: {} })
    expect((await agent.request('session/list')).result).toEqual({ sessions: [] })
    expect(agent.frames).toHaveLength(2)
  })
})

describe('a request that cannot be met', () => {
  const shared = shareAgent()

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
  const shared = shareAgent('terminal_output')

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
  const agent = startAgent()
  const cwd = makeDirectory()
  expect((await agent.prompt('none', '!true')).error).toMatchObject({ code: -32600, ...details(/initialized/) })
  const early = await agent.request('session/new', { cwd, mcpServers: [] })
  expect(early.error).toMatchObject({ code: -32600, ...details(/initialized/) })
  await agent.initialize()
  const sessionId = await agent.newSession(cwd)
  await agent.prompt(sessionId, 'hello')
  expect(messageText(agent.updates(sessionId))).toMatch(/No model/)
})
