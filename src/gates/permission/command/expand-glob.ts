import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { GlobToken } from './word.js'

const MAX_NAMES = 1000
const MAX_PATTERN_LENGTH = 300

type Token = { readonly any: '?' | '*' } | { readonly is: string }

/**
 * The names that a shell's pattern stands for, relative as the pattern is; what stands between brackets fits any character,
 * and case does not count, so there may be some too many, never too few. Undefined past a bound.
 */
export async function expandGlob(tokens: readonly GlobToken[], folder: string): Promise<string[] | undefined> {
  if (tokens.reduce((sum, token) => sum + (typeof token === 'string' ? token.length : 1), 0) > MAX_PATTERN_LENGTH) {
    return undefined
  }
  let names = ['']
  for (const [index, segment] of splitSegments(tokens).entries()) {
    const found: string[] = []
    for (const name of names) {
      const prefix = index === 0 ? '' : `${name}/`
      if (segment.every(token => typeof token === 'string')) {
        found.push(prefix + segment.join(''))
        continue
      }
      const below = await readdir(resolve(folder, prefix || '.')).catch(() => [])
      found.push(...below.filter(entry => fitsGlob(segment, entry)).map(entry => prefix + entry))
      if (found.length > MAX_NAMES) return undefined
    }
    names = found
  }
  return names
}

/** The last segment of a pattern. */
export function lastSegment(tokens: readonly GlobToken[]): GlobToken[] {
  return splitSegments(tokens).at(-1) ?? []
}

/** Whether a name fits a pattern without slashes, which takes a dot file only if it begins with a dot. Linear but for `*`. */
export function fitsGlob(segment: readonly GlobToken[], name: string): boolean {
  const pattern = segment.flatMap((token): Token[] =>
    typeof token === 'string' ? [...token.toLowerCase()].map(is => ({ is })) : [token],
  )
  const text = [...name.toLowerCase()]
  const first = pattern[0]
  if (text[0] === '.' && !(first && 'is' in first && first.is === '.')) return false
  let at = 0
  let position = 0
  let star = -1
  let starPosition = 0
  while (position < text.length) {
    const token = pattern[at]
    if (token && 'any' in token && token.any === '*') {
      star = at++
      starPosition = position
    } else if (token && ('any' in token || token.is === text[position])) {
      at++
      position++
    } else if (star >= 0) {
      at = star + 1
      position = ++starPosition
    } else return false
  }
  return pattern.slice(at).every(token => 'any' in token && token.any === '*')
}

function splitSegments(tokens: readonly GlobToken[]): GlobToken[][] {
  const segments: GlobToken[][] = [[]]
  for (const token of tokens) {
    if (typeof token !== 'string') {
      segments.at(-1)?.push(token)
      continue
    }
    token.split('/').forEach((piece, index) => {
      if (index > 0) segments.push([])
      if (piece !== '') segments.at(-1)?.push(piece)
    })
  }
  return segments
}
