import { Context, type Fiber, type Plugin } from 'cordis'
import { HarnessError } from '../cards/index.js'
import { SystemPrompt, type ToolDefinition, ToolRegistry } from '../registry/index.js'
import { jobsPlugin, launcherPlugin } from '../workspace/index.js'
import { contextListeners, moreListeners } from './listener-counts.js'
import { ObservedFiles } from './observed-files.js'
import type { ContractOptions, ToolPlugin } from './types.js'

/** A registry of its own with the tool in it. */
export interface ToolHost {
  readonly ctx: Context
  readonly tool: ToolDefinition
  /** What was logged as a warning or an error. */
  readonly warnings: readonly string[]
  /** Disposes the plugin only. Settles to what is left of it in the registry, one sentence each. */
  disposePlugin(): Promise<string[]>
  /** Undoes all of it and ends what it started. */
  close(): Promise<void>
}

const START_MS = 5000

/** Starts the services that a tool meets in a session, and the plugin. Throws CONTRACT_BROKEN if the tool is not there then. */
export async function openToolHost(
  subject: ToolDefinition | ToolPlugin,
  options: ContractOptions = {},
): Promise<ToolHost> {
  const ctx = new Context()
  const warnings: string[] = []
  ctx.logger.exporter({
    export: ({ type, args }) => {
      if (type === 'warn' || type === 'error') warnings.push(toLine(args))
    },
  })
  try {
    const registry = { abortGraceMs: options.abortGraceMs ?? 2000 }
    await ctx.plugin(SystemPrompt)
    await ctx.plugin(ToolRegistry, registry)
    for (const service of [ObservedFiles, launcherPlugin, jobsPlugin]) await ctx.plugin(service)
    for (const plugin of options.plugins ?? []) await start(ctx, toPlugin(plugin), undefined)
    const listeners = contextListeners(ctx)
    const before = new Set(ctx.tools.schemas().map(({ name }) => name))
    const fiber = await start(ctx, toPlugin(subject), options.config)
    const added = ctx.tools.schemas().flatMap(({ name }) => (before.has(name) ? [] : [name]))
    const tool = findTool(ctx, added, options.tool, warnings)
    return {
      ctx,
      tool,
      warnings,
      disposePlugin: async () => {
        await fiber.dispose()
        const isThere = ctx.tools.get(tool.name) !== undefined
        const stays = `The tool ${tool.name} is still registered when its plugin is gone: register it on the ctx that apply gets.`
        return [...(isThere ? [stays] : []), ...moreListeners(listeners, contextListeners(ctx), 'ctx.on')]
      },
      close: () => ctx.fiber.dispose(),
    }
  } catch (error) {
    await ctx.fiber.dispose()
    throw error
  }
}

async function start(ctx: Context, plugin: Plugin, config: unknown): Promise<Fiber> {
  const fiber = ctx.plugin(plugin, config)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const problem = `The plugin ${nameOf(plugin)} has not started after ${START_MS} ms: its apply must settle.`
    timer = setTimeout(() => reject(new HarnessError('CONTRACT_BROKEN', problem)), START_MS)
  })
  try {
    await Promise.race([fiber, late])
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new HarnessError('CONTRACT_BROKEN', `The plugin ${nameOf(plugin)} does not start: ${reason}`, { cause })
  } finally {
    clearTimeout(timer)
  }
  return fiber
}

function findTool(
  ctx: Context,
  added: readonly string[],
  wanted: string | undefined,
  warnings: readonly string[],
): ToolDefinition {
  const name = wanted ?? (added.length === 1 ? added[0] : undefined)
  const tool = name === undefined || !added.includes(name) ? undefined : ctx.tools.get(name)
  if (tool !== undefined) return tool
  const logged = warnings.length === 0 ? '' : ` Logged: ${warnings.join('; ')}`
  const hint = 'Does it inject a service that is not there (options.plugins), or register only later?'
  const problem =
    added.length === 0
      ? `The plugin registers no tool. ${hint}`
      : wanted === undefined
        ? `The plugin registers ${added.join(', ')}: say which is meant with options.tool.`
        : `The plugin registers ${added.join(', ')}, but no ${wanted}.`
  throw new HarnessError('CONTRACT_BROKEN', problem + logged)
}

function toPlugin(subject: ToolDefinition | ToolPlugin): Plugin {
  if (isDefinition(subject)) return { name: subject.name, inject: ['tools'], apply: ctx => register(ctx, [subject]) }
  const { tools } = subject
  if (tools === undefined) return subject as Plugin
  return {
    ...(subject as Plugin.Base),
    inject: { tools: true, ...toInject(subject.inject) },
    apply(ctx: Context, config: unknown) {
      register(ctx, tools)
      return subject.apply?.(ctx as never, config as never)
    },
  }
}

function toInject(inject: unknown): Record<string, unknown> {
  return Array.isArray(inject) ? Object.fromEntries(inject.map(name => [name, true])) : { ...(inject as object) }
}

function register(ctx: Context, tools: readonly ToolDefinition[]): void {
  for (const tool of tools) ctx.tools.register(tool)
}

function isDefinition(subject: ToolDefinition | ToolPlugin): subject is ToolDefinition {
  return typeof subject === 'object' && 'execute' in subject
}

function nameOf({ name }: { name?: string }): string {
  return name === undefined || name === '' ? '(unnamed)' : name
}

// The registry logs with '%s' and one text.
function toLine(args: readonly unknown[]): string {
  const [format, ...rest] = args
  const texts = rest.map(value => (value instanceof Error ? value.message : String(value)))
  return typeof format === 'string'
    ? format.replaceAll('%s', () => texts.shift() ?? '')
    : [format, ...texts].map(value => (value instanceof Error ? value.message : String(value))).join(' ')
}
