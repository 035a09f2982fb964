import { posix, win32 } from 'node:path'

/** The directories a call's paths are seen from, as data: no look at the file system. */
export interface PathSpace {
  /** Absolute. */
  readonly cwd: string
  /** Absolute; may hold cwd. */
  readonly roots: readonly string[]
  /** Other spellings of cwd or a root, such as its real path if it is a link (B42). */
  readonly spellings: (directory: string) => readonly string[]
  readonly windows: boolean
}

/** The absolute, normalised form of a path, resolved against the session's cwd and never the process's (B40). */
export function toAbsolutePath(space: PathSpace, path: string): string {
  if (!space.windows) return posix.isAbsolute(path) ? posix.normalize(path) : posix.join(space.cwd, path)
  const { root } = win32.parse(path)
  const { root: home } = win32.parse(win32.normalize(space.cwd))
  if (root === '') return win32.join(space.cwd, path)
  // `\dir` has no drive, `C:dir` no root: neither says where it is without a cwd.
  if (root === '\\' || root === '/') return win32.join(home, path)
  if (!win32.isAbsolute(path)) {
    const rest = path.slice(root.length)
    return win32.join(isSame(`${root}\\`, home, true) ? space.cwd : `${root}\\`, rest)
  }
  return win32.normalize(path)
}

/**
 * An absolute path as a title shows it: relative inside cwd, under the root's last segment inside another root, else
 * undefined. cwd itself gives its last segment.
 */
export function toShownPath(space: PathSpace, path: string): string | undefined {
  const inCwd = stepsBelow(space, space.cwd, path)
  if (inCwd) return inCwd.length === 0 ? lastSegment(space, space.cwd) : inCwd.join(separator(space))
  const roots = [...space.roots].sort((a, b) => segments(space, b).length - segments(space, a).length)
  for (const root of roots) {
    const steps = stepsBelow(space, root, path)
    const name = lastSegment(space, root)
    if (steps && name !== undefined) return [name, ...steps].join(separator(space))
  }
  return undefined
}

/** True for an absolute path that is cwd, a root, or lies below one. */
export function isInSpace(space: PathSpace, path: string): boolean {
  return [space.cwd, ...space.roots].some(directory => stepsBelow(space, directory, path) !== undefined)
}

/** Every spelling of an absolute path that the spellings of cwd and the roots give. */
export function toSpellings(space: PathSpace, path: string): string[] {
  const found = new Set([path])
  for (const root of [space.cwd, ...space.roots]) {
    const steps = stepsBelow(space, root, path)
    if (!steps) continue
    for (const spelling of [root, ...space.spellings(root)]) found.add(joinPath(space, spelling, steps))
  }
  return [...found]
}

/** A path without the separators at its end; a root keeps its own. */
export function withoutTrailingSeparators(space: PathSpace, path: string): string {
  const stripped = path.replace(space.windows ? /[\\/]+$/ : /\/+$/, '')
  return stripped === '' || (space.windows && stripped.endsWith(':')) ? path : stripped
}

function stepsBelow(space: PathSpace, directory: string, path: string): string[] | undefined {
  const parts = segments(space, path)
  for (const spelling of [directory, ...space.spellings(directory)]) {
    const head = segments(space, spelling)
    if (head.length <= parts.length && head.every((part, index) => isSame(part, parts[index] ?? '', space.windows)))
      return parts.slice(head.length)
  }
  return undefined
}

function lastSegment(space: PathSpace, directory: string): string | undefined {
  const [, ...rest] = segments(space, directory)
  return rest.at(-1)
}

/** The same few directories and paths come again for each message. */
const known = new Map<string, readonly string[]>()
const MAX_KNOWN = 500

function segments({ windows }: PathSpace, path: string): readonly string[] {
  const key = `${windows} ${path}`
  const before = known.get(key)
  if (before !== undefined) return before
  if (known.size >= MAX_KNOWN) known.clear()
  const found = toSegments(windows, path)
  known.set(key, found)
  return found
}

// The file system's root stands first, so that `/` and a drive are directories like others.
function toSegments(windows: boolean, path: string): string[] {
  const flavour = windows ? win32 : posix
  const normal = flavour.normalize(path)
  const { root } = flavour.parse(normal)
  const rest = normal.slice(root.length).split(flavour.sep)
  return [root, ...rest.filter(part => part !== '')]
}

function joinPath(space: PathSpace, directory: string, steps: string[]): string {
  return (space.windows ? win32 : posix).join(directory, ...steps)
}

function separator(space: PathSpace): string {
  return space.windows ? '\\' : '/'
}

function isSame(left: string, right: string, windows: boolean): boolean {
  return left === right || (windows && left.toLowerCase() === right.toLowerCase())
}
