import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context, type Plugin } from 'cordis'
import { onTestFinished } from 'vitest'
import type { ToolCallView, ToolResultView } from '../../src/cards/index.js'
import { type ToolAgent, type ToolExecutionResult, ToolRegistry } from '../../src/registry/index.js'
import { Files } from '../../src/workspace/index.js'

/** A registry, `ctx.files` and the given plugins over a temporary workspace; all gone when the test ends. */
export interface Workbench {
  ctx: Context
  /** The workspace: cwd and only root of `agent`. Without links. */
  dir: string
  agent: ToolAgent
  path(...names: string[]): string
  put(name: string, content: string | Uint8Array): Promise<string>
  bytes(name: string): Promise<Buffer>
  /** Runs one call through the registry, for `agent` unless told otherwise. */
  call(name: string, args: unknown, options?: CallOptions): Promise<CallOutcome>
}

interface CallOptions {
  /** null: a call without a session. */
  agent?: ToolAgent | null
  signal?: AbortSignal
}

interface CallOutcome extends ToolExecutionResult {
  /** All text blocks, joined. */
  text: string
  code: string | undefined
  callCard: ToolCallView | undefined
  resultCard: ToolResultView | undefined
}

/** Opens a workbench; to be called inside a test. */
export async function openWorkbench(...plugins: Plugin[]): Promise<Workbench> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-workbench-')))
  const ctx = new Context()
  onTestFinished(async () => {
    await ctx.fiber.dispose()
    await rm(dir, { recursive: true, force: true })
  })
  await ctx.plugin(ToolRegistry)
  await ctx.plugin(Files)
  for (const plugin of plugins) await ctx.plugin(plugin)
  const agent: ToolAgent = { sessionId: 'bench', cwd: dir, roots: [dir], origin: 'model' }
  const path = (...names: string[]) => join(dir, ...names)
  let calls = 0

  return {
    ctx,
    dir,
    agent,
    path,
    put: async (name, content) => {
      await writeFile(path(name), content)
      return path(name)
    },
    bytes: name => readFile(path(name)),
    call: async (name, args, options = {}) => {
      const result = await ctx.tools.execute({
        callId: `call-${++calls}`,
        name,
        arguments: args,
        agent: options.agent === null ? undefined : (options.agent ?? agent),
        signal: options.signal,
      })
      return {
        ...result,
        text: result.content.map(block => (block.type === 'text' ? block.text : '')).join('\n'),
        code: result.error?.code,
        callCard: ctx.tools.presentCall(name, args),
        resultCard: ctx.tools.presentResult(name, args, result),
      }
    },
  }
}
