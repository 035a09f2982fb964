import { Context } from 'cordis'
import { text } from '../../src/cards/index.js'
import {
  type ToolDefinition,
  type ToolExecution,
  type ToolExecutionResult,
  ToolRegistry,
  type ToolRegistryOptions,
} from '../../src/registry/index.js'

/** A fresh context with only the registry in it. */
export async function startRegistry(options: ToolRegistryOptions = {}): Promise<Context> {
  const ctx = new Context()
  await ctx.plugin(ToolRegistry, options)
  return ctx
}

/** A raw tool that answers `ok`, with `parts` over it. */
export function rawTool(name: string, parts: Partial<ToolDefinition> = {}): ToolDefinition {
  return { name, description: '', parameters: { type: 'object' }, execute: async () => [text('ok')], ...parts }
}

export function call(
  ctx: Context,
  name: string,
  args: unknown = {},
  parts: Partial<ToolExecution> = {},
): Promise<ToolExecutionResult> {
  return ctx.tools.execute({ callId: 'call-1', name, arguments: args, ...parts })
}

/** The text blocks of a result, one line each. */
export function textOf(result: { content: ToolExecutionResult['content'] }): string {
  return result.content.map(block => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')
}

/** What was logged as a warning or an error. */
export function warnings(ctx: Context): string[] {
  return ctx.logger.buffer.filter(message => message.level <= 1).map(message => message.args.map(String).join(' '))
}

/** A promise and what settles it. */
export function deferred<T = void>(): {
  promise: Promise<T>
  resolve: (value: T) => void
  reject: (error: unknown) => void
} {
  let resolve!: (value: T) => void
  let reject!: (error: unknown) => void
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
