import { pathToFileURL } from 'node:url'
import { HarnessError } from '../cards/index.js'
import type { PluginEntry } from './find-entry.js'
import { makeFresh } from './fresh-modules.js'

/** What a module exports. */
export type ModuleExports = Readonly<Record<string, unknown>>

/** Imports a plugin's entry; with a `load` above 0 anew from the disk. Throws PLUGIN_FAILED if the module does. */
export async function importModule({ path, root }: PluginEntry, load: number): Promise<ModuleExports> {
  const address = `${pathToFileURL(path).href}${await makeFresh(root, load)}`
  try {
    return (await import(address)) as ModuleExports
  } catch (cause) {
    throw new HarnessError('PLUGIN_FAILED', describeThrown(cause), { cause })
  }
}

/** True for what an import fails with before any code of the plugin has run: a mistake in the syntax, or a missing module. */
export function isPlainFault(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  if ((thrown as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return true
  const frames = String(thrown.stack).match(/^ +at .*/gm) ?? []
  return thrown instanceof SyntaxError && frames.every(frame => frame.includes('node:internal/'))
}

/** What was thrown in one line, with the place of a mistake in the syntax where Node tells it, which some versions do not. */
export function describeThrown(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null || !('message' in thrown)) return String(thrown)
  const { message, stack } = thrown as { message: unknown; stack?: unknown }
  const [first = ''] = String(stack ?? '').split('\n')
  const isPlace = /^file:.*:\d+$/.test(first)
  return isPlace ? `${message} (${first.replace(/\?[^:]*/, '')})` : String(message)
}
