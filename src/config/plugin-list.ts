import { isAbsolute } from 'node:path'
import { z } from 'zod'

const text = z.string().min(1)

/** `source` is a package's name, or a path that begins with `.`, `~` or a slash, or is absolute. */
export interface PluginEntry {
  source: string
  config?: unknown
}

/** The plugins to load: each a package's name or a path, alone or as settings with a `config` for it. */
export const pluginList = z
  .array(
    z.union(
      [
        text.transform((source): PluginEntry => ({ source })),
        z
          .strictObject({ name: text, config: z.unknown().optional() })
          .transform(({ name, config }) => toEntry(name, config)),
        z
          .strictObject({ path: text, config: z.unknown().optional() })
          .transform(({ path, config }) => toEntry(isMarked(path) ? path : `./${path}`, config)),
      ],
      'expected the name of a package, a path, or settings with a name or a path (and config)',
    ),
  )
  .default([])

function toEntry(source: string, config: unknown): PluginEntry {
  return config === undefined ? { source } : { source, config }
}

/** Cannot be taken for the name of a package. */
function isMarked(path: string): boolean {
  return /^(?:\.|~[\\/]|[\\/])/.test(path) || isAbsolute(path)
}
