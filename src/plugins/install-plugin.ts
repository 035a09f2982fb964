import type { Context, Fiber } from 'cordis'
import { HarnessError, hasErrorCode } from '../cards/index.js'
import type { ToolDefinition } from '../registry/index.js'
import { describeThrown } from './import-module.js'
import type { PluginParts } from './read-module.js'
import { within } from './within.js'

// cordis's FiberState is an ambient const enum, which isolated modules cannot read.
const PENDING = 0

/** A plugin in its place. */
export interface InstalledPlugin {
  /** The tools of its list that are registered. */
  readonly tools: readonly string[]
  /** Its tools that were left out, each with the reason. */
  readonly problems: readonly string[]
  /** The services that it waits for; it does nothing until they are there. */
  missing(): string[]
  /** Undoes all that it did. Settles after `limitMs` at the latest; false if it has not ended by then. */
  dispose(limitMs: number): Promise<boolean>
}

/**
 * Starts a plugin as a cordis plugin of its own: first its tools, one by one, then its `apply`. Throws PLUGIN_FAILED if that
 * throws or has not ended after `limitMs`; nothing of it is left then.
 */
export async function installPlugin(
  ctx: Context,
  label: string,
  parts: PluginParts,
  config: unknown,
  limitMs: number,
): Promise<InstalledPlugin> {
  const tools: string[] = []
  const problems: string[] = []
  const plugin = {
    name: parts.name ?? label,
    inject: parts.inject,
    apply: (inner: Context) => {
      // A service that comes and goes starts a plugin more than once.
      tools.length = 0
      problems.length = 0
      for (const tool of parts.tools) {
        try {
          inner.tools.register(tool as ToolDefinition)
          tools.push((tool as ToolDefinition).name)
        } catch (error) {
          problems.push(describeRefused(tool, error))
        }
      }
      return parts.apply?.(inner, config)
    },
  }
  const fiber = ctx.plugin(plugin as Parameters<Context['plugin']>[0]) as Fiber & PromiseLike<Fiber>
  const dispose = (waitMs: number) => disposeFiber(fiber, waitMs)
  try {
    await within(fiber, limitMs, 'its apply has not ended')
  } catch (cause) {
    await dispose(limitMs)
    if (hasErrorCode(cause, 'PLUGIN_FAILED')) throw cause
    throw new HarnessError('PLUGIN_FAILED', describeThrown(cause), { cause })
  }
  const missing = () => (fiber.state === PENDING ? Object.keys(parts.inject).filter(name => !ctx.get(name)) : [])
  return { tools, problems, missing, dispose }
}

async function disposeFiber(fiber: Fiber, limitMs: number): Promise<boolean> {
  try {
    await within(fiber.dispose(), limitMs, 'its end has not come')
    return true
  } catch {
    // A start that never ends keeps cordis from undoing what it did so far.
    for (const undo of fiber._disposables.clear()) void Promise.resolve(undo()).catch(() => {})
    return false
  }
}

function describeRefused(tool: unknown, error: unknown): string {
  const name = nameOf(tool)
  const label = typeof name === 'string' ? `the tool ${name.slice(0, 80)}` : 'a tool without a name'
  return `${label} is left out: ${describeThrown(error)}`
}

/** What refuses a tool may be the very reading of its name. */
function nameOf(tool: unknown): unknown {
  try {
    return (tool as { name?: unknown } | null | undefined)?.name
  } catch {
    return undefined
  }
}
