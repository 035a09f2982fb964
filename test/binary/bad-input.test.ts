import { describe, expect, it } from 'vitest'
import { shareAgent, startAgent } from './support.js'

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
    const from = agent().frames.length
    agent().send({ id: 99, result: {} })
    agent().send({ id: 99, error: { code: 1, message: 'x' } })
    agent().send({ result: {} })
    expect((await agent().request('session/list')).result).toEqual({ sessions: [] })
    expect(agent().frames.slice(from)).toHaveLength(1)
  })
})
