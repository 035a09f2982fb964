import { resolve } from 'node:path'
import { methods, type NewSessionResponse } from '@agentclientprotocol/sdk'
import { expect, onTestFinished, test, vi } from 'vitest'
import { defaultConfig } from '../../src/config/index.js'
import { foldUpdates } from '../support/fold.js'
import { isRunning, until } from '../support/processes.js'
import { type ConnectedAgent, type ConnectOptions, connect } from './connected-agent.js'

const PLAIN = resolve(import.meta.dirname, '../../fixtures/mcp/plain/server.mjs')
const HOSTILE = resolve(import.meta.dirname, '../../fixtures/mcp/hostile/server.mjs')
const { session } = methods.agent

const stdio = (args: string[] = [], name = 'plain') => ({
  name,
  command: process.execPath,
  args: [PLAIN, ...args],
  env: [{ name: 'TOKEN', value: 't' }],
})

async function open(servers: object[], options: ConnectOptions = {}): Promise<{ agent: ConnectedAgent; id: string }> {
  // However busy the machine is, a prompt waits for the servers.
  const agent = await connect({ toolWaitMs: 60_000, ...options })
  const params = { cwd: agent.cwd, mcpServers: servers as never }
  const { sessionId } = await agent.connection.agent.request<NewSessionResponse>(session.new, params)
  return { agent, id: sessionId }
}

const textOf = (agent: ConnectedAgent, id: string) =>
  agent
    .updates(id)
    .map(update => {
      const { content } = update as { content?: unknown }
      return JSON.stringify(content ?? '')
    })
    .join('\n')

test('a prompt waits for the servers of its session, and runs a tool of theirs on a card that names them', async () => {
  const { agent, id } = await open([stdio(['--start-late', '100'])])
  expect(await agent.prompt(id, '/call mcp__plain__env name=TOKEN')).toBe('end_turn')
  const [call] = agent.updates(id).filter(update => update.sessionUpdate === 'tool_call')
  expect(call).toMatchObject({ title: 'plain: env TOKEN' })
  expect(textOf(agent, id)).toContain('"text":"t"')
  await agent.prompt(id, '/tools')
  expect(textOf(agent, id)).toContain('mcp__plain__echo')
  // The menu does not show them: there may be thousands.
  expect(
    JSON.stringify(agent.updates(id).filter(({ sessionUpdate }) => sessionUpdate.endsWith('commands_update'))),
  ).not.toContain('mcp__')
})

test('a loaded session looks as it did, before any server runs and without it', async () => {
  const { agent, id } = await open([stdio()])
  await agent.prompt(id, '/call mcp__plain__echo text=hello')
  await agent.prompt(id, '/call mcp__plain__fail')
  const live = agent.updates(id)
  await agent.connection.agent.request(session.close, { sessionId: id })
  const before = agent.updates(id).length
  await agent.connection.agent.request(session.load, { sessionId: id, cwd: agent.cwd, mcpServers: [] })
  const replayed = agent.updates(id).slice(before)
  expect(foldUpdates(replayed, { user: false })).toEqual(foldUpdates(live, { user: false }))
})

test('a server that does not run is told in one line of the thread, and the turn goes on', async () => {
  const { agent, id } = await open([stdio(['--dies'], 'bad'), stdio()])
  await agent.prompt(id, '/call mcp__plain__echo text=fine')
  const lines = agent.updates(id).filter(update => update.sessionUpdate === 'agent_message_chunk')
  expect(lines).toHaveLength(1)
  expect(JSON.stringify(lines)).toContain('MCP server bad does not run: it ended with exit code 4.')
  expect(textOf(agent, id)).toContain('"text":"fine"')
})

test('servers that do not run are told in one line', async () => {
  // However long the last one takes to fail, the first waits for it.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const names = ['one', 'two', 'three', 'four', 'five']
  const { agent, id } = await open(names.map(name => ({ name, command: 'no-such-program', args: [], env: [] })))
  onTestFinished(() => void vi.useRealTimers())
  await agent.prompt(id, '/call mcp__one__echo')
  const lines = agent.updates(id).filter(update => update.sessionUpdate === 'agent_message_chunk')
  const reason = 'Cannot start no-such-program: there is no such program on PATH'
  expect(JSON.stringify(lines[0])).toContain(
    `5 MCP servers do not run: one (${reason}), two (${reason}), three (${reason}) and 2 more. They are tried again`,
  )
  expect(JSON.stringify(lines).match(/do not run/g)).toHaveLength(1)
})

test('tools that are left out are told in the first thread with a prompt, and not again in the next', async () => {
  const server = { name: 'odd', command: process.execPath, args: [HOSTILE, 'bad-schemas'], env: [] }
  const { agent } = await open([server])
  const params = { cwd: agent.cwd, mcpServers: [server] as never }
  const ids: string[] = []
  for (let n = 0; n < 2; n++) {
    const { sessionId } = await agent.connection.agent.request<NewSessionResponse>(session.new, params)
    await agent.prompt(sessionId, '/call mcp__odd__good')
    ids.push(sessionId)
  }
  expect(ids.map(id => textOf(agent, id).includes('MCP server odd: tools left out: '))).toEqual([true, false])
})

test('servers of the config belong to each session, unless the editor names one of the same name', async () => {
  const config = defaultConfig()
  const own = { command: process.execPath, args: [PLAIN], env: { TOKEN: 'of the config' }, headers: {} }
  config.mcpServers = { plain: { ...own, trusted: false, disabled: false } }
  const { agent, id } = await open([], { config })
  await agent.prompt(id, '/call mcp__plain__env name=TOKEN')
  expect(textOf(agent, id)).toContain('of the config')
  const params = { cwd: agent.cwd, mcpServers: [stdio()] as never }
  const second = await agent.connection.agent.request<NewSessionResponse>(session.new, params)
  await agent.prompt(second.sessionId, '/call mcp__plain__env name=TOKEN')
  expect(textOf(agent, second.sessionId)).toContain('"text":"t"')
  expect(textOf(agent, second.sessionId)).toContain('the editor names one too')
})

test('closing, deleting and the end of the connection leave nothing of the servers', async () => {
  const { agent, id } = await open([stdio()])
  const ids = [id]
  for (let n = 0; n < 2; n++) {
    const params = { cwd: agent.cwd, mcpServers: [stdio()] as never }
    ids.push((await agent.connection.agent.request<NewSessionResponse>(session.new, params)).sessionId)
  }
  const pids: number[][] = []
  for (const each of ids) {
    await agent.prompt(each, '/call mcp__plain__child')
    const [, both = ''] = /\[(\d+,\d+)\]/.exec(textOf(agent, each)) ?? []
    pids.push(both.split(',').map(Number))
  }
  expect(pids.flat().every(isRunning)).toBe(true)
  await agent.connection.agent.request(session.close, { sessionId: ids[0] ?? '' })
  await agent.connection.agent.request(session.delete, { sessionId: ids[1] ?? '' })
  expect(pids.map(list => list.some(isRunning))).toEqual([false, false, true])
  await agent.agent.close()
  await until(() => !pids.flat().some(isRunning))
})
