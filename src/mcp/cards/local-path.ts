import { fileURLToPath } from 'node:url'

/**
 * The path of a file of this machine that a server named, absolute or relative to the session's directory. Undefined for what
 * can be none: a web address, a path of another system, a NUL in it.
 */
export function toLocalPath(given: unknown, windows: boolean): string | undefined {
  if (typeof given !== 'string' || given === '' || given.length > 4096 || given.includes('\0')) return undefined
  if (/^file:/i.test(given)) return fromUri(given, windows)
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(given)) return undefined
  if (!windows && /^(?:[a-z]:[\\/]|\\\\)/i.test(given)) return undefined
  return given
}

function fromUri(uri: string, windows: boolean): string | undefined {
  try {
    return fileURLToPath(uri, { windows })
  } catch {
    // Of another machine, or of another system.
    return undefined
  }
}
