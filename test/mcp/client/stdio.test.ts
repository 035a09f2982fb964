import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ToolProgress } from '../../../src/registry/types.js'
import { isAlive, PLAIN, plainServer, startBench, textOf, until } from './support.js'

function makeDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'deckhand-mcp-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const cwd = process.cwd()

test('a session gets the tools of its server, which can be called, report progress and fail', async () => {
  const { mcp, names, call, settled, log } = await startBench()
  mcp.open('s', [cwd], [plainServer()])
  expect(names()).toEqual([])
  await settled()
  expect(names()).toContain('mcp__plain__echo')
  expect(names('other')).toEqual([])
  expect(textOf(await call('mcp__plain__echo', { text: 'hä' }))).toBe('hä')

  const progress: ToolProgress[] = []
  await call('mcp__plain__steps', {}, { onProgress: report => void progress.push(report) })
  expect(progress).toEqual([50, 100].map(part => ({ content: [{ type: 'text', text: `Half (${part} %)` }] })))

  const failed = await call('mcp__plain__fail')
  expect(failed).toMatchObject({ isError: true, error: { code: 'MCP_TOOL_FAILED' } })
  expect(textOf(failed)).toContain('no such thing')
  for (const line of ['says hello', 'up and running']) await until(() => expect(log.join('\n')).toContain(line))
})

test('a server gets the inherited environment without keys of ours, unless it is given one by name (B64)', async () => {
  for (const [name, value] of Object.entries({ MY_PROVIDER_KEY: 'k1', OPENAI_API_KEY: 'k2', INHERITED: 'yes' })) {
    vi.stubEnv(name, value)
  }
  onTestFinished(() => void vi.unstubAllEnvs())
  const { mcp, call, settled } = await startBench()
  mcp.open('s', [cwd], [plainServer([], { OPENAI_API_KEY: 'own', MORE: 'm' })])
  await settled()
  const read = async (name: string) => textOf(await call('mcp__plain__env', { name }))
  expect(await read('MY_PROVIDER_KEY')).toBe('(unset)')
  expect(await read('OPENAI_API_KEY')).toBe('own')
  expect(await read('INHERITED')).toBe('yes')
  expect(await read('MORE')).toBe('m')
})

test('a stopped call ends at once, and the server is told', async () => {
  const file = join(makeDirectory(), 'told')
  const { mcp, call, settled } = await startBench()
  mcp.open('s', [cwd], [plainServer()])
  await settled()
  const stop = new AbortController()
  const running = call('mcp__plain__wait', { file }, { signal: stop.signal })
  await until(() => expect(readFileSync(file, 'utf8')).toBe('waiting '))
  stop.abort()
  expect((await running).error?.code).toBe('ABORTED')
  await until(() => expect(readFileSync(file, 'utf8')).toBe('waiting cancelled'))
  expect(textOf(await call('mcp__plain__echo', { text: 'still there' }))).toBe('still there')
})

test('a call without a sign of life ends by the limit of the server', async () => {
  const { mcp, call, settled } = await startBench({
    mcpServers: {
      plain: {
        ...{ command: process.execPath, args: [PLAIN], env: {}, headers: {} },
        ...{ trusted: false, disabled: false, timeoutMs: 60 },
      },
    },
  })
  mcp.open('s', [cwd], [])
  await settled()
  const result = await call('mcp__plain__wait', { file: join(makeDirectory(), 'x') })
  expect(result.error?.code).toBe('TIMED_OUT')
})

test('a server that dies in a call fails that call, is started again, and its tools work on', async () => {
  const { mcp, call, settled, notes, names } = await startBench()
  mcp.open('s', [cwd], [plainServer()])
  await settled()
  const died = await call('mcp__plain__die')
  expect(died.error?.code).toBe('MCP_UNAVAILABLE')
  expect(textOf(died)).toContain('exit code 3')
  expect(names()).toContain('mcp__plain__echo')
  await vi.waitFor(async () => expect(textOf(await call('mcp__plain__echo', { text: 'again' }))).toBe('again'), 10_000)
  expect(notes).toHaveLength(1)
  expect(notes[0]).toMatch(/^s: MCP server plain does not run: it ended with exit code 3\./)
})

test('a server that cannot start is tried again and then given up, others work, and a retry starts it', async () => {
  const { mcp, settled, notes, names, log } = await startBench()
  mcp.open('s', [cwd], [plainServer(['--dies'], {}, 'bad'), plainServer()])
  await settled()
  expect(names()).toContain('mcp__plain__echo')
  const words = /^s: MCP server bad was given up after 4 tries: it ended with exit code 4/
  await until(() => expect(notes.at(-1)).toMatch(words))
  expect(log.join('\n')).toContain('cannot find my settings')
  expect(await mcp.retry('s')).toEqual(['bad'])
})

test('a server whose program does not exist, or that ends at its first start, costs one line', async () => {
  const { mcp, notes, names } = await startBench()
  const missing = { type: 'stdio', name: 'missing', command: 'no-such-program-anywhere', args: [], env: {} } as const
  mcp.open('s', [cwd], [missing, plainServer(['--die-once', join(makeDirectory(), 'once')], {}, 'second')])
  await until(() => expect(names()).toContain('mcp__second__echo'))
  expect(notes.filter(note => note.includes('second'))).toHaveLength(1)
  await until(() => expect(notes.join('\n')).toContain('no such program on PATH'))
})

test('many changes of the tools make one new list, and what stays is not announced again', async () => {
  const { mcp, ctx, call, settled, names } = await startBench()
  mcp.open('s', [cwd], [plainServer()])
  await settled()
  const before = ctx.tools.forSession('s').get('mcp__plain__echo')
  const changes: (string | undefined)[] = []
  ctx.on('tools/change', id => void changes.push(id))
  await call('mcp__plain__change')
  await until(() => expect(names()).toContain('mcp__plain__added'))
  expect(changes).toEqual(['s'])
  expect(ctx.tools.forSession('s').get('mcp__plain__echo')).toBe(before)
})

test('a long list comes by pages, each tool of it', async () => {
  const { mcp, settled, names } = await startBench()
  mcp.open('s', [cwd], [plainServer(['--tools', '250'])])
  await settled()
  expect(names().filter(name => name.startsWith('mcp__plain__more-'))).toHaveLength(250)
})

test('the roots of a server are the session’s, also after it has moved', async () => {
  const { mcp, call, settled, log } = await startBench()
  const more = makeDirectory()
  mcp.open('s', [cwd], [plainServer()])
  await settled()
  expect(JSON.parse(textOf(await call('mcp__plain__roots')))).toEqual([pathToFileURL(cwd).href])
  mcp.move('s', [cwd, more])
  await until(() => expect(log.join('\n')).toContain('roots changed'))
  expect(JSON.parse(textOf(await call('mcp__plain__roots')))).toEqual([cwd, more].map(path => pathToFileURL(path).href))
})

test('two sessions with one server have two processes, and closing one leaves nothing of it', async () => {
  const { mcp, call, settled, names } = await startBench()
  for (const id of ['a', 'b']) mcp.open(id, [cwd], [plainServer()])
  await Promise.all([settled('a'), settled('b')])
  const pids = async (id: string) => JSON.parse(textOf(await call('mcp__plain__child', {}, {}, id))) as number[]
  const [ofA, ofB] = [await pids('a'), await pids('b')]
  expect(new Set([...ofA, ...ofB]).size).toBe(4)
  await mcp.close('a')
  expect(names('a')).toEqual([])
  await until(() => expect(ofA.map(isAlive)).toEqual([false, false]))
  expect(ofB.map(isAlive)).toEqual([true, true])
  expect((await call('mcp__plain__echo', { text: 'x' }, {}, 'a')).error?.code).toBe('UNKNOWN_TOOL')
})

test('opening a session again keeps servers that are the same and ends others', async () => {
  const { mcp, call, settled, names } = await startBench()
  mcp.open('s', [cwd], [plainServer(), plainServer([], {}, 'old')])
  await settled()
  const before = textOf(await call('mcp__plain__child'))
  mcp.open('s', [cwd], [plainServer(), plainServer([], {}, 'new')])
  await until(() => expect(names()).toContain('mcp__new__echo'))
  await until(() => expect(names()).not.toContain('mcp__old__echo'))
  const [server] = JSON.parse(before) as number[]
  expect((JSON.parse(textOf(await call('mcp__plain__child'))) as number[])[0]).toBe(server)
})

test('timers run on time while a server reports progress as fast as it can', async () => {
  const { mcp, call, settled } = await startBench()
  mcp.open('s', [cwd], [plainServer()])
  await settled()
  let turns = 0
  const ticker = setInterval(() => {
    turns += 1
  }, 1)
  onTestFinished(() => clearInterval(ticker))
  expect(textOf(await call('mcp__plain__flood', { count: 20_000 }))).toBe('sent')
  expect(turns).toBeGreaterThan(20)
})

test('a server that asks and asks but reads no answer is ended', async () => {
  const { mcp, call, settled } = await startBench()
  mcp.open('s', [cwd], [plainServer()])
  await settled()
  const result = await call('mcp__plain__deaf')
  expect(textOf(result)).toContain('it does not read its input')
})

test('a session that closes while its server starts leaves nothing', async () => {
  const { mcp, settled, names, notes } = await startBench()
  mcp.open('s', [cwd], [plainServer(['--start-late', '60000'])])
  await mcp.close('s')
  await settled()
  expect([names(), notes]).toEqual([[], []])
})
