import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path'
import { HarnessError, oneLine } from '../cards/index.js'
import { errnoOf, toFileError } from './file-error.js'

/** For whom a path is resolved. A tool's `exec.agent` fits. */
export interface WorkspaceAgent {
  readonly sessionId: string
  /** Absolute. */
  readonly cwd: string
  /** Absolute; cwd first, then the additional directories. */
  readonly roots: readonly string[]
  /** Real paths outside the roots that this call may touch, and all below them. */
  readonly granted?: readonly string[]
  /** The turn that the call belongs to; unique in the session. */
  readonly turnId?: string
}

export interface ResolvedPath {
  /** As the caller wrote it: for messages. */
  spoken: string
  /** Absolute, in the spelling of the session's cwd: for cards. */
  path: string
  /** Absolute, free of links; parts that do not exist yet stand as written. */
  realPath: string
  /** The real path is a real root or a granted path, or lies below one. True without an agent: there is nothing to leave. */
  inside: boolean
}

/** Makes a path absolute and finds where it really leads. Throws INVALID_ARGS, NO_WORKSPACE, FILE_FAILED (a circle of links). */
export async function resolvePath(agent: WorkspaceAgent | undefined, spoken: string): Promise<ResolvedPath> {
  const path = toAbsolute(agent, spoken)
  const realPath = realPathOf(path, spoken)
  return { spoken, path, realPath, inside: agent === undefined || isInsideRoots(agent, realPath, spoken) }
}

/** True if `path` is `directory` or lies below it; both absolute and of one path space. Lexical, on whole segments. */
export function isInside(directory: string, path: string): boolean {
  if (isPlain(directory) && isPlain(path)) return path === directory || path.startsWith(`${directory}${sep}`)
  const steps = relative(directory, path)
  return steps === '' || (steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps))
}

// Free of what makes two texts the same path, which is nearly always so; telling it takes a small part of relative().
function isPlain(path: string): boolean {
  return sep === '/' && path.length > 1 && path.startsWith('/') && !/\/\.{0,2}(?:\/|$)/.test(path)
}

// The system's own limit. Without it every part of a path with 100,000 of them would be looked up.
const MAX_PATH_LENGTH = process.platform === 'win32' ? 32_767 : 4096

function toAbsolute(agent: WorkspaceAgent | undefined, spoken: string): string {
  if (spoken.trim() === '') throw new HarnessError('INVALID_ARGS', 'The path is empty.')
  if (spoken.includes('\0')) throw new HarnessError('INVALID_ARGS', 'The path holds a NUL character.')
  if (spoken.length > MAX_PATH_LENGTH) {
    throw new HarnessError('FILE_FAILED', `The name is too long: ${oneLine(spoken, 100)}`)
  }
  if (agent !== undefined) return resolve(agent.cwd, spoken)
  if (!isAbsolute(spoken)) {
    throw new HarnessError(
      'NO_WORKSPACE',
      `${spoken} is relative and there is no session to resolve it: pass an absolute path.`,
    )
  }
  return resolve(spoken)
}

function isInsideRoots(agent: WorkspaceAgent, realPath: string, spoken: string): boolean {
  if (agent.granted?.some(granted => isInside(granted, realPath))) return true
  const roots = agent.roots.map(root => resolve(root))
  // What a path that is free of links begins with is so too: a root in it leads nowhere else.
  return (
    roots.some(root => isInside(root, realPath)) || roots.some(root => isInside(realPathOf(root, spoken), realPath))
  )
}

function realPathOf(path: string, spoken: string): string {
  try {
    return followLinks(path, { links: 40 })
  } catch (error) {
    throw toFileError(error, 'resolve', spoken)
  }
}

// At once, some microseconds a path: a trip through the thread pool costs many times that, and each call makes several.
// realpath() fails on a path that does not exist yet, and a dangling link as the last part would then be written through (B63).
function followLinks(path: string, budget: { links: number }): string {
  if (exists(path)) return realpathSync.native(path)
  const parent = dirname(path)
  if (parent === path) return path
  const name = basename(path)
  const realParent = followLinks(parent, budget)
  if (name === '.') return realParent
  if (name === '..') return dirname(realParent)
  const candidate = join(realParent, name)
  const target = linkTarget(candidate)
  if (target === undefined) return candidate
  budget.links -= 1
  if (budget.links < 0) throw Object.assign(new Error('too many links'), { code: 'ELOOP' })
  // Not join(): it would take `sub/..` for nothing, although sub may be a link.
  return followLinks(parse(target).root === '' ? `${realParent}${sep}${target}` : resolve(target), budget)
}

function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    // Below a file.
    if (errnoOf(error) === 'ENOTDIR') return false
    throw error
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined
  } catch {
    // Below a file, or gone just now.
    return undefined
  }
}
