import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRunning, until } from '../support/processes.js'
import { cards, contentText, makeDirectory, startAgent } from './support.js'

const PLAIN = resolve(import.meta.dirname, '../../fixtures/mcp/plain/server.mjs')
const server = { name: 'plain', command: process.execPath, args: [PLAIN], env: [] }

describe('MCP servers of a process that ends', () => {
  it.each(['SIGTERM', 'SIGKILL', undefined] as const)('by %s are gone with all that they started', async signal => {
    const agent = startAgent()
    await agent.initialize()
    const sessionId = await agent.newSession(makeDirectory(), { mcpServers: [server] })
    await agent.prompt(sessionId, '/call mcp__plain__child')
    const [card] = cards(agent.updates(sessionId))
    const pids = JSON.parse(/\[\d+,\d+\]/.exec(contentText(card!))?.[0] ?? '[]') as number[]
    expect(pids.map(isRunning)).toEqual([true, true])
    if (signal) agent.child.kill(signal)
    else agent.child.stdin?.end()
    await agent.exited
    await until(() => !pids.some(isRunning))
    expect(agent.stderr).toBe('')
  })
})

it('a session is there at once although its server never answers (B75), and the log file has what servers print', async () => {
  const agent = startAgent()
  await agent.initialize()
  const silent = { ...server, name: 'silent', args: [PLAIN, '--start-late', '600000'] }
  const sessionId = await agent.newSession(makeDirectory(), { mcpServers: [silent, server] })
  expect((await agent.prompt(sessionId, '!echo hi')).result).toEqual({ stopReason: 'end_turn' })
  await until(() => agent.log().includes('up and running'))
  expect((await agent.request('session/close', { sessionId })).result).toEqual({})
})
