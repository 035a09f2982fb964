import { expect, onTestFinished, test, vi } from 'vitest'
import type { SessionServer } from '../../../src/mcp/index.js'
import { startProxy } from '../../network/support.js'
import { serve, sse, streamable } from './http-server.js'
import { startBench, textOf, until } from './support.js'

const cwd = process.cwd()

function remote(url: string, type: 'http' | 'sse' = 'http', headers: [string, string][] = []): SessionServer {
  return { type, name: 'far', url, headers }
}

test.each([
  ['http', streamable],
  ['sse', sse()],
] as const)('a server by %s is reached with the headers that it is given', async (type, answer) => {
  const server = await serve(answer)
  const { mcp, call, settled } = await startBench()
  mcp.open('s', [cwd], [remote(server.url, type, [['X-Key', 'abc']])])
  await settled()
  expect(textOf(await call('mcp__far__word'))).toBe('from afar')
  expect(server.seen.length).toBeGreaterThan(2)
  for (const headers of server.seen) expect(headers['x-key']).toBe('abc')
})

test.each([
  ['wants a login', 401, /wants a login \(HTTP 401\): .*Authorization/],
  ['refuses', 403, /refuses access \(HTTP 403\)/],
  ['fails', 500, /answered HTTP 500/],
])('a server that %s is told in words', async (_how, status, words) => {
  for (const type of ['http', 'sse'] as const) {
    const server = await serve((_request, response) => void response.writeHead(status).end('no'))
    const { mcp, settled, notes } = await startBench()
    mcp.open('s', [cwd], [remote(server.url, type)])
    await settled()
    expect(notes[0]).toMatch(words)
  }
})

test('headers do not go to another host that a server points to', async () => {
  const other = await serve(streamable)
  const server = await serve((_request, response) => void response.writeHead(307, { location: other.url }).end())
  const { mcp, settled, notes } = await startBench()
  mcp.open('s', [cwd], [remote(server.url, 'http', [['Authorization', 'Bearer x']])])
  await settled()
  expect(notes[0]).toMatch(/redirect/i)
  expect(other.seen).toEqual([])
})

test('an address where nothing listens is told in words, and is tried again', async () => {
  const first = await serve(streamable)
  await first.close()
  const { mcp, settled, notes, names } = await startBench()
  mcp.open('s', [cwd], [remote(first.url)])
  await settled()
  expect(notes[0]).toContain('nothing listens at its address')
  await serve(streamable, Number(new URL(first.url).port))
  await mcp.retry('s')
  await until(() => expect(names()).toContain('mcp__far__word'))
})

test('a call whose answer breaks off fails at once, and the next one is on a new connection', async () => {
  const server = await serve(streamable)
  const { mcp, call, settled } = await startBench()
  mcp.open('s', [cwd], [remote(server.url)])
  await settled()
  const broken = await call('mcp__far__breaks')
  expect(broken.error?.code).toBe('MCP_UNAVAILABLE')
  expect(textOf(broken)).toContain('the answer broke off')
  await vi.waitFor(async () => expect(textOf(await call('mcp__far__word'))).toBe('from afar'), 10_000)
})

test('timers run on time while a stream of events comes as fast as it can', async () => {
  const server = await serve(streamable)
  const { mcp, call, settled } = await startBench()
  mcp.open('s', [cwd], [remote(server.url)])
  await settled()
  let turns = 0
  const ticker = setInterval(() => {
    turns += 1
  }, 1)
  onTestFinished(() => clearInterval(ticker))
  expect(textOf(await call('mcp__far__floods'))).toBe('sent')
  expect(turns).toBeGreaterThan(50)
})

test('a proxy of the environment is gone through', async () => {
  const server = await serve(streamable)
  const proxy = await startProxy(Number(new URL(server.url).port))
  const { mcp, settled, notes, names } = await startBench({}, { HTTP_PROXY: proxy.url })
  mcp.open('s', [cwd], [remote('http://far.example/mcp')])
  await settled()
  expect([notes, names()]).toEqual([[], ['mcp__far__breaks', 'mcp__far__floods', 'mcp__far__word']])
  expect(proxy.asked[0]?.target).toBe('far.example:80')
})
