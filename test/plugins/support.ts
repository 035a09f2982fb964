import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { format } from 'node:util'
import { Context } from 'cordis'
import { onTestFinished } from 'vitest'
import { type PluginSource, UserPlugins, type UserPluginsOptions } from '../../src/plugins/index.js'
import { SystemPrompt, ToolRegistry } from '../../src/registry/index.js'

export interface PluginBench {
  ctx: Context
  /** The config's folder. */
  folder: string
  /** Lines for the log. */
  logged: string[]
  put(files: Record<string, string>): Promise<void>
  /** Loads these, and waits for it. */
  load(sources: readonly (string | PluginSource)[], options?: Partial<UserPluginsOptions>): Promise<UserPlugins>
  /** Names of the tools. */
  tools(): string[]
}

/** A registry, and a config folder to put plugins in; gone when the test ends. */
export async function openBench(): Promise<PluginBench> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-plugins-')))
  const folder = join(root, 'config')
  await mkdir(folder)
  const ctx = new Context()
  const logged: string[] = []
  onTestFinished(async () => {
    await ctx.fiber.dispose()
    await rm(root, { recursive: true, force: true })
  })
  await ctx.plugin(SystemPrompt)
  await ctx.plugin(ToolRegistry)
  return {
    ctx,
    folder,
    logged,
    put: async files => {
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true })
        await writeFile(join(folder, name), content)
      }
    },
    load: async (sources, options = {}) => {
      const plugins = new UserPlugins({
        ctx,
        folder,
        home: root,
        sources: sources.map(source => (typeof source === 'string' ? { source } : source)),
        log: (level, ...parts) => logged.push(`${level} ${format(...parts)}`),
        ...options,
      })
      onTestFinished(() => plugins.close())
      await plugins.load()
      return plugins
    },
    tools: () => ctx.tools.schemas().map(({ name }) => name),
  }
}

/** Source of a tool that answers `answer`, an expression. */
export function tool(name: string, answer = "'ok'"): string {
  return `{ name: '${name}', description: '', parameters: { type: 'object' },
    execute: async () => [{ type: 'text', text: String(${answer}) }] }`
}
