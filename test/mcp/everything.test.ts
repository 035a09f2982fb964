import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { resolve as resolvePath } from 'node:path'
import type { McpServer } from '@agentclientprotocol/sdk'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openServed } from './connected-servers.js'

const PROGRAM = resolvePath('node_modules/@modelcontextprotocol/server-everything/dist/index.js')

/** What each tool is called with, and the card that comes of it. Kinds of content stand in brackets. */
const CALLS: Record<string, { args?: object; title: string; kind?: string; text: RegExp }> = {
  echo: {
    args: { message: 'hi *there*' },
    title: 'all: Echo Tool hi `*there*`',
    kind: 'read',
    text: /^Echo: hi \*there\*$/,
  },
  'get-annotated-message': {
    args: { messageType: 'error', includeImage: true },
    title: 'all: Get Annotated Message Tool error',
    kind: 'read',
    text: /^Error: Operation failed\n\[image\]$/,
  },
  'get-env': { title: 'all: Print Environment Tool', kind: 'read', text: /"PATH": / },
  'get-resource-links': {
    args: { count: 2 },
    title: 'all: Get Resource Links Tool',
    kind: 'read',
    text: /\n\[resource_link\]\n\[resource_link\]$/,
  },
  'get-resource-reference': {
    args: { resourceType: 'Blob', resourceId: 2 },
    title: 'all: Get Resource Reference Tool',
    kind: 'read',
    text: /\n\[resource\]\n/,
  },
  'get-structured-content': {
    args: { location: 'Chicago' },
    title: 'all: Get Structured Content Tool Chicago',
    kind: 'read',
    text: /^\{"temperature":\d+,"conditions":"[^"]+","humidity":\d+\}$/,
  },
  'get-sum': { args: { a: 2, b: 3 }, title: 'all: Get Sum Tool 2', kind: 'read', text: /The sum of 2 and 3 is 5\./ },
  'get-tiny-image': { title: 'all: Get Tiny Image Tool', kind: 'read', text: /\n\[image\]\n/ },
  'gzip-file-as-resource': {
    args: { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resource' },
    title: 'all: GZip File as Resource Tool a.gz',
    text: /^\[resource\]$/,
  },
  'toggle-simulated-logging': { title: 'all: Toggle Simulated Logging', text: /Started simulated/ },
  'toggle-subscriber-updates': { title: 'all: Toggle Subscriber Updates', text: /Started simulated/ },
  'trigger-long-running-operation': {
    args: { duration: 0.1, steps: 2 },
    title: 'all: Trigger Long Running Operation Tool',
    kind: 'read',
    text: /Long running operation completed/,
  },
  'get-roots-list': { title: 'all: Get Roots List Tool', kind: 'read', text: /deckhand-bridge-/ },
  'trigger-elicitation-request': { title: 'all: Trigger Elicitation Request Tool', text: /declined/ },
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise(closed => server.close(closed))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** The server on a port of its own; it says on stderr that it listens. */
async function listen(kind: 'streamableHttp' | 'sse'): Promise<number> {
  const port = await freePort()
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, kind], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
  // It is read to its end: the server writes a line for each connection.
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', chunk => String(chunk).includes(`port ${port}`) && resolve())
    child.once('exit', () => reject(new Error('the server has ended')))
  })
  return port
}

const TRANSPORTS: Record<string, (mark: string) => Promise<McpServer>> = {
  stdio: async mark => ({ name: 'all', command: process.execPath, args: [PROGRAM, 'stdio', mark], env: [] }),
  http: async () => ({
    type: 'http',
    name: 'all',
    url: `http://127.0.0.1:${await listen('streamableHttp')}/mcp`,
    headers: [],
  }),
  sse: async () => ({ type: 'sse', name: 'all', url: `http://127.0.0.1:${await listen('sse')}/sse`, headers: [] }),
}

describe('each tool of a real server', () => {
  it.each(Object.entries(TRANSPORTS))(
    'is called over %s, and its card is as it should be',
    async (_transport, toServer) => {
      const server = await toServer('everything')
      const session = await openServed(mark =>
        'command' in server ? [{ ...server, args: [...server.args, mark] }] : [server],
      )
      await session.untilCalled('mcp__all__echo', { status: 'failed' })
      const listed = session.tools().filter(name => name.startsWith('mcp__'))
      expect(listed.map(name => name.slice('mcp__all__'.length)).sort()).toEqual(Object.keys(CALLS).sort())
      for (const [tool, { args = {}, title, kind = 'other', text }] of Object.entries(CALLS)) {
        const card = await session.call(`mcp__all__${tool}`, args)
        expect
          .soft({ tool, ...card })
          .toMatchObject({ tool, title, kind, status: 'completed', text: expect.stringMatching(text) })
        expect.soft(card.name).toBe(`mcp__all__${tool}`)
      }
      // The client has no tasks.
      expect(session.said()).toContain('simulate-research-query (it runs as a task only')
      await session.closeSession()
    },
  )
})
