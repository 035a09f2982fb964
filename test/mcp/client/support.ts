import { resolve } from 'node:path'
import { Context } from 'cordis'
import { onTestFinished, vi } from 'vitest'
import { defaultConfig } from '../../../src/config/index.js'
import { type McpServers, mcpServersPlugin, type SessionServer } from '../../../src/mcp/index.js'
import { type ToolExecution, type ToolExecutionResult, ToolRegistry } from '../../../src/registry/index.js'
import { launcherPlugin } from '../../../src/workspace/index.js'

export const PLAIN = resolve(import.meta.dirname, '../../../fixtures/mcp/plain/server.mjs')

export interface Bench {
  ctx: Context
  mcp: McpServers
  /** Lines for threads, as `session: text`. */
  notes: string[]
  /** Lines for the log file. */
  log: string[]
  names(sessionId?: string): string[]
  call(tool: string, args?: unknown, parts?: Partial<ToolExecution>, sessionId?: string): Promise<ToolExecutionResult>
  /** Resolves when the tools that the session expects are there, or its servers have failed. */
  settled(sessionId?: string): Promise<void>
}

/** A host with the registry, the launcher and the MCP servers alone; gone when the test ends. */
export async function startBench(
  config: Partial<ReturnType<typeof defaultConfig>> = {},
  env: Record<string, string> = {},
): Promise<Bench> {
  const ctx = new Context()
  onTestFinished(async () => void (await ctx.fiber.dispose()))
  const log: string[] = []
  ctx.logger.exporter({ export: ({ args }) => void log.push(args.map(String).join(' ')) })
  // However busy the machine is, the servers are waited for.
  await ctx.plugin(ToolRegistry, { expectMs: 60_000 })
  await ctx.plugin(launcherPlugin, { keyVariables: ['MY_PROVIDER_KEY'] })
  await ctx.plugin(mcpServersPlugin, {
    config: { ...defaultConfig(), ...config },
    env,
    version: '0.0.0',
    restartDelaysMs: [20, 20, 20],
  })
  const notes: string[] = []
  ctx.on('mcp/note', (id, line) => {
    const text = typeof line === 'function' ? line() : line
    if (text !== undefined) notes.push(`${id}: ${text}`)
  })
  const settled = (id = 's') => ctx.tools.forSession(id).settled(new AbortController().signal)
  return {
    ctx,
    mcp: ctx.mcp,
    notes,
    log,
    settled,
    names: (id = 's') =>
      ctx.tools
        .forSession(id)
        .schemas()
        .map(({ name }) => name),
    call: (tool, args = {}, parts = {}, id = 's') => {
      const agent = { sessionId: id, cwd: process.cwd(), roots: [process.cwd()], origin: 'model' as const }
      return ctx.tools.execute({ callId: 'call-1', name: tool, arguments: args, agent, ...parts })
    },
  }
}

/** The server that behaves, as an editor names it. */
export function plainServer(
  args: readonly string[] = [],
  env: Record<string, string> = {},
  name = 'plain',
): SessionServer {
  return { type: 'stdio', name, command: process.execPath, args: [PLAIN, ...args], env }
}

export function textOf({ content }: Pick<ToolExecutionResult, 'content'>): string {
  return content.map(block => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')
}

export function until(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 10_000, interval: 20 })
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
