import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { posix, win32 } from 'node:path'
import { type Config, defaultConfig } from './config.js'
import { type ConfigSource, configPath } from './config-path.js'
import type { ConfigProblem } from './problem.js'
import { strictest } from './strictest.js'

const MAX_BYTES = 1024 * 1024

export interface LoadedConfig {
  config: Config
  /** Where the file is, or would be. */
  path: string
  /** What is wrong with the file; then `config` is the strictest reading of it. */
  problems: ConfigProblem[]
}

/** Reads the user's config file. Never rejects: a file that cannot be read or understood is a problem, and loosens nothing. */
export async function loadConfig(source: ConfigSource): Promise<LoadedConfig> {
  const path = configPath(source)
  const fail = (text: string): LoadedConfig => ({
    config: strictest(defaultConfig(), [[]]),
    path,
    problems: [{ text }],
  })
  if (!(source.platform === 'win32' ? win32 : posix).isAbsolute(path)) {
    return fail(`DECKHAND_CONFIG must be an absolute path, not ${JSON.stringify(path)}`)
  }
  let content: string | undefined
  try {
    content = await readText(path)
  } catch (error) {
    return fail(`The file cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (content === undefined) {
    // A file that the user names may hold deny rules: going on without them would loosen.
    if (source.env.DECKHAND_CONFIG) return fail('DECKHAND_CONFIG names a file that does not exist')
    return { config: defaultConfig(), path, problems: [] }
  }
  const { readConfigText } = await import('./read-config-text.js')
  return { path, ...readConfigText(content) }
}

/** The text of a file of bounded size; undefined if there is none. A FIFO or a device does not block. */
async function readText(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    },
  )
  if (file === undefined) return undefined
  try {
    const found = await file.stat()
    if (!found.isFile()) throw new Error('it is no regular file')
    if (found.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`)
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.readFile())
  } finally {
    await file.close()
  }
}
