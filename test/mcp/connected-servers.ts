import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type McpServer, methods, type SessionUpdate, type ToolCallContent } from '@agentclientprotocol/sdk'
import type { Context, Plugin } from 'cordis'
import { expect, vi } from 'vitest'
import { type ConnectedAgent, type ConnectOptions, connect } from '../bridge/connected-agent.js'
import { until } from '../support/processes.js'

export interface ServedSession extends ConnectedAgent {
  sessionId: string
  /** Runs `/call TOOL {…}` and gives the updates of its card, folded. */
  call(tool: string, args?: object): Promise<Card>
  /** The same until the card is like that: the server may be starting. */
  untilCalled(tool: string, expected: object): Promise<void>
  /** What the thread says that is no card. */
  said(): string
  /** The names of all tools that the session has. */
  tools(): string[]
  /** Closes the session; resolves when none of its servers' processes is left. */
  closeSession(): Promise<void>
}

type Update = Extract<SessionUpdate, { sessionUpdate: 'tool_call_update' }>
/** A card as it ended; `text` is its texts, other content by its type in brackets. */
export type Card = Partial<Update> & { text: string }

/** A session of an agent in memory with these servers; `mark` is a word for their command lines, to find them by. */
export async function openServed(
  toServers: (mark: string) => McpServer[],
  options: ConnectOptions = {},
): Promise<ServedSession> {
  const mark = randomUUID()
  let host: Context | undefined
  const plugin: Plugin = {
    name: 'watcher',
    inject: ['tools'],
    apply(ctx: Context) {
      host = ctx
    },
  }
  // However busy the machine is, a prompt waits for the servers.
  const agent = await connect({ toolWaitMs: 60_000, ...options, plugins: [plugin, ...(options.plugins ?? [])] })
  const { agent: remote } = agent.connection
  const { sessionId } = await remote.request(methods.agent.session.new, { cwd: agent.cwd, mcpServers: toServers(mark) })
  const call = async (tool: string, args: object = {}) => {
    const seen = agent.updates(sessionId).length
    await agent.prompt(sessionId, `/call ${tool} ${JSON.stringify(args)}`)
    return foldCard(agent.updates(sessionId).slice(seen))
  }
  return {
    ...agent,
    sessionId,
    call,
    untilCalled: (tool, expected) =>
      vi.waitFor(async () => expect(await call(tool)).toMatchObject(expected), { timeout: 10_000, interval: 20 }),
    said: () => agent.updates(sessionId).map(toSaid).join(''),
    tools: () => (host?.tools.forSession(sessionId).schemas() ?? []).map(({ name }) => name),
    async closeSession() {
      await remote.request(methods.agent.session.close, { sessionId })
      await until(() => processesNaming(mark).length === 0)
    },
  }
}

/** A program of the fixtures as a server; its last argument is only there to find its process by. */
export function programServer(program: string, args: string[], mark: string, name: string): McpServer {
  const path = resolve(import.meta.dirname, '../../fixtures/mcp', program)
  return { name, command: process.execPath, args: [path, ...args, mark], env: [] }
}

/** Processes with this text in their command line; where there is no /proc, none are found. */
function processesNaming(text: string): number[] {
  try {
    const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    return pids.filter(pid => commandOf(pid).includes(text)).map(Number)
  } catch {
    return []
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function foldCard(updates: readonly SessionUpdate[]): Card {
  const card: Card = { text: '' }
  for (const update of updates) {
    if (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update') Object.assign(card, update)
  }
  card.text = (card.content ?? []).map(toText).join('\n')
  return card
}

function toText(block: ToolCallContent): string {
  if (block.type !== 'content') return `[${block.type}]`
  return block.content.type === 'text' ? block.content.text : `[${block.content.type}]`
}

function toSaid(update: SessionUpdate): string {
  return update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : ''
}
