import type { Context } from 'cordis'
import type { ToolDefinition } from '../../src/registry/index.js'
import { defineTool } from '../../src/registry/index.js'
import { type ContractOptions, type ToolPlugin, type ToolSample, toolContract } from '../../src/testing/index.js'

const parameters = {
  path: { type: 'string', required: true },
  count: { type: 'integer' },
} as const

type Options = Omit<Parameters<typeof defineTool<typeof parameters>>[0], 'name' | 'description' | 'parameters'>

/** A tool that keeps the contract, with parts of it replaced. */
export function tool(parts: Partial<Options> = {}): ToolDefinition {
  return defineTool({
    name: 'sound',
    description: 'Does nothing.',
    parameters,
    execute: async ({ path }) => [{ type: 'text', text: `seen ${path}` }],
    presentCall: ({ path }) => ({ card: 'generic', kind: 'read', title: 'Look', locations: [{ path }] }),
    effects: () => ({}),
    ...parts,
  })
}

/** A plugin that registers {@link tool} with an `execute` that has the plugin's context. */
export function plugin(
  execute: (ctx: Context, ...args: Parameters<Options['execute']>) => ReturnType<Options['execute']>,
  parts: Partial<Options> = {},
): ToolPlugin & { apply(ctx: Context): void } {
  return {
    name: 'sound-plugin',
    inject: ['tools', 'files'],
    apply: ctx => void ctx.tools.register(tool({ execute: (args, exec) => execute(ctx, args, exec), ...parts })),
  }
}

export const sample: ToolSample = { name: 'one', args: { path: 'a.txt' }, files: { 'a.txt': 'one\ntwo\n' } }

/** What the check of this name says against the tool; undefined if it passes. */
export async function problemOf(
  subject: ToolDefinition | ToolPlugin,
  checkName: string,
  given: Partial<ToolSample> = {},
  options: ContractOptions = {},
): Promise<string | undefined> {
  const checks = toolContract(subject, [{ ...sample, ...given }], options)
  const found = checks.filter(({ name }) => name.includes(checkName))
  if (found.length !== 1) throw new Error(`${found.length} checks are named ${checkName}`)
  try {
    await found[0]?.run()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
