import { expect, it } from 'vitest'
import { convertTools } from '../../src/mcp/cards/index.js'
import type { SessionServer } from '../../src/mcp/index.js'
import { toIdentity, toServerList } from '../../src/mcp/server.js'

/** What an always-answer for a tool of this server is remembered by. */
async function keyOf(given: SessionServer): Promise<string> {
  const [server] = toServerList([given], {}).servers
  const tools = [{ name: 'run', inputSchema: { type: 'object' } }]
  const identity = toIdentity(server!)
  const options = { server: given.name, identity, trusted: false, tools, taken: new Set<string>() }
  const { definitions } = await convertTools({ ...options, call: async () => ({}) })
  return definitions[0]?.providedBy?.key ?? ''
}

const program = { type: 'stdio', name: 'tracker', command: 'tracker', args: ['serve'], env: {} } as const
const remote = { type: 'http', name: 'docs', url: 'https://docs.example/mcp', headers: [] } as const

it('an always-answer counts for a program with its arguments and its environment, in whatever order that is', async () => {
  const env = { TOKEN: 'secret-token', MODE: 'a' }
  const key = await keyOf({ ...program, env })
  expect(await keyOf({ ...program, env: { MODE: 'a', TOKEN: 'secret-token' } })).toBe(key)
  const others: SessionServer[] = [
    program,
    { ...program, env: { ...env, MODE: 'b' } },
    { ...program, env: { ...env, NODE_OPTIONS: '--import ./x.mjs' } },
    { ...program, args: ['serve', 'TOKEN=secret-token'], env: { MODE: 'a' } },
    { ...program, name: 'other', env },
  ]
  const keys = await Promise.all(others.map(keyOf))
  expect(new Set([key, ...keys]).size).toBe(others.length + 1)
  expect(key).toMatch(/^mcp [0-9a-f]{32}$/)
})

it('an always-answer counts for an address, whatever headers it gets', async () => {
  const key = await keyOf(remote)
  expect(await keyOf({ ...remote, headers: [['Authorization', 'Bearer tomorrow']] })).toBe(key)
  expect(await keyOf({ ...remote, url: 'https://docs.example/other' })).not.toBe(key)
})
