import { isAbsolute, join } from 'node:path'
import picomatch from 'picomatch'
import { HarnessError } from '../cards/index.js'
import { runBounded } from './walk-bounded.js'

const MAX_PATTERN_LENGTH = 1000
const MATCH_LIMIT_MS = 40
const MATCH_TRIES = 3

/** What a walk looks for. Paths are relative to where it starts, with `/`. */
export interface GlobFilter {
  matches(relativePath: string): boolean
  /** A segment of the pattern begins with a dot: hidden names can match. */
  namesHidden: boolean
  /** Look for directories instead of files, or for both. */
  directories: boolean | 'too'
  /** Deepest level that can match; 1 is the start's own entries. */
  maxDepth: number
}

export interface Glob {
  /** The literal directories that the pattern begins with, where the walk starts: `src/a` of `src/a/*.ts`, else empty. */
  base: string
  /** No wildcard at all: the pattern names one entry in full. */
  literal: boolean
  filter: GlobFilter
}

/**
 * Compiles a glob pattern (`*`, `**`, `?`, `[a-z]`, `{a,b}`; a leading `!` inverts it). With `anyLevel` a pattern without
 * a slash matches names at every level, as in .gitignore. Throws INVALID_ARGS.
 */
export function compileGlob(pattern: string, options: { anyLevel?: boolean } = {}): Glob {
  if (pattern.trim() === '') throw new HarnessError('INVALID_ARGS', 'The glob pattern is empty.')
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new HarnessError('INVALID_ARGS', `A glob pattern has at most ${MAX_PATTERN_LENGTH} characters.`)
  }
  const negated = pattern.startsWith('!') && !pattern.startsWith('!(')
  const body = toSlashes(negated ? pattern.slice(1) : pattern)
  const directories = body.endsWith('/')
  const segments = withoutEmptySegments(body)
  const byName = options.anyLevel === true && !body.includes('/')
  const baseLength = negated || byName ? 0 : literalLength(segments)
  const rest = segments.slice(baseLength).join('/')
  const matches = createMatcher(rest, pattern)
  return {
    base: baseLength === 1 && segments[0] === '' ? '/' : segments.slice(0, baseLength).join('/'),
    literal: !negated && !byName && !hasWildcard(rest),
    filter: {
      matches: path => matches(byName ? path.slice(path.lastIndexOf('/') + 1) : path) !== negated,
      namesHidden: !negated && /(?:^|[/{,(|])\.(?!\.?(?:\/|$))/.test(rest),
      directories,
      maxDepth: negated || byName || /\*\*|[{(][^})]*\//.test(rest) ? Number.POSITIVE_INFINITY : rest.split('/').length,
    },
  }
}

/** Where the walk for a glob starts, as an argument: the tool's path and the pattern's literal directories. Pure. */
export function toGlobStart(path: string | undefined, base: string): string {
  if (base === '') return path ?? '.'
  return isAbsolute(base) ? base : join(path ?? '.', base)
}

function createMatcher(rest: string, pattern: string): (path: string) => boolean {
  const isMatch = picomatch(withLiteralParentheses(rest), { nonegate: true, windows: false })
  if (!isCostly(rest)) return isMatch
  return path => {
    let matched = false
    for (let tries = 0; tries < MATCH_TRIES; tries++) {
      const match = () => {
        matched = isMatch(path)
      }
      if (runBounded(match, MATCH_LIMIT_MS)) return matched
    }
    throw new HarnessError('INVALID_ARGS', `The glob pattern ${pattern} takes too long to match; use fewer wildcards.`)
  }
}

// Many wildcards in one name, or groups, can make a regular expression try more ways than there is time for.
function isCostly(rest: string): boolean {
  return rest.includes('(') || rest.split('**').length > 4 || rest.split('/').some(part => part.split('*').length > 4)
}

function withoutEmptySegments(body: string): string[] {
  const absolute = body.startsWith('/')
  const segments = body.split('/').filter(segment => segment !== '' && segment !== '.')
  return absolute ? ['', ...segments] : segments
}

// The last segment is always left for the filter.
function literalLength(segments: string[]): number {
  const first = segments.findIndex(hasWildcard)
  return first === -1 ? segments.length - 1 : first
}

function hasWildcard(segment: string): boolean {
  return /[*?[\]{}\\]/.test(segment) || GROUP.test(segment)
}

// `(group)` alone is a usual directory name; with `|` inside or an operator in front it is an expression.
const GROUP = /[!+@]\(|\([^()]*\|/

function withLiteralParentheses(rest: string): string {
  return GROUP.test(rest) || /[*?]\(/.test(rest) ? rest : rest.replace(/(?<!\\)[()]/g, '\\$&')
}

// Backslashes separate on Windows only; elsewhere they escape.
function toSlashes(pattern: string): string {
  return process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern
}
