import { randomUUID } from 'node:crypto'
import { chmod, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HarnessError } from '../cards/index.js'

const MAX_BYTES = 1024 * 1024

/** Keys by the name of their provider. Empty if there is no file. Throws CREDENTIALS_FAILED. */
export async function readCredentials(path: string): Promise<Record<string, string>> {
  const text = await readText(path)
  if (text === undefined) return {}
  const entries = await toEntries(path, text)
  return Object.fromEntries(
    Object.entries(entries).flatMap(([provider, key]) =>
      typeof key === 'string' && key.trim() !== '' ? [[provider, key.trim()]] : [],
    ),
  )
}

/**
 * Stores a provider's key, or removes it with `undefined`; other entries and comments stay. The file is its owner's only
 * (0600, a new folder 0700) and is replaced as a whole. Resolves to whether anything changed. Throws CREDENTIALS_FAILED.
 */
export async function storeCredential(path: string, provider: string, key: string | undefined): Promise<boolean> {
  const text = await readText(path)
  if (text === undefined && key === undefined) return false
  if (text !== undefined) await toEntries(path, text)
  const { withEntry } = await import('./credentials-text.js')
  const changed = withEntry(text, provider, key)
  if (changed === undefined) return false
  await replace(path, changed)
  return true
}

async function readText(path: string): Promise<string | undefined> {
  try {
    const content = await readFile(path)
    if (content.length > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`)
    return content.toString('utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw failure(path, 'read', error)
  }
}

async function toEntries(path: string, text: string): Promise<Record<string, unknown>> {
  // A YAML parser is loaded only if there is a file.
  const { parseEntries } = await import('./credentials-text.js')
  try {
    return parseEntries(text)
  } catch (error) {
    throw failure(path, 'read', error)
  }
}

async function replace(path: string, text: string): Promise<void> {
  let temporary: string | undefined
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    // A file that is a link (dotfiles kept elsewhere) stays one.
    const target = await realpath(path).catch(() => path)
    temporary = `${target}.${randomUUID()}.tmp`
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx' })
    // The process's umask may have taken more away than wanted.
    await chmod(temporary, 0o600)
    await rename(temporary, target)
  } catch (error) {
    if (temporary) await rm(temporary, { force: true })
    throw failure(path, 'written', error)
  }
}

function failure(path: string, what: 'read' | 'written', cause: unknown): HarnessError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new HarnessError('CREDENTIALS_FAILED', `The keys in ${path} could not be ${what}: ${reason}.`, { cause })
}
