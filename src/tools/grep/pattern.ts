import { HarnessError } from '../../cards/index.js'

const MAX_PATTERN_LENGTH = 4096

/** The pattern as a regular expression with flag u. Throws INVALID_ARGS with the reason, and what to write instead. */
export function toRegExp(pattern: string, ignoreCase: boolean): RegExp {
  if (pattern === '') throw new HarnessError('INVALID_ARGS', 'The pattern is empty.')
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new HarnessError('INVALID_ARGS', `The pattern has more than ${MAX_PATTERN_LENGTH} characters.`)
  }
  try {
    return new RegExp(pattern, ignoreCase ? 'iu' : 'u')
  } catch (error) {
    const reason = (error as Error).message.replace(/^Invalid regular expression: (?:\/.*\/[a-z]*: )?/s, '')
    throw new HarnessError('INVALID_ARGS', `Invalid pattern: ${reason}.${hintFor(pattern)}`, { cause: error })
  }
}

function hintFor(pattern: string): string {
  if (/^\(\?[a-z]+\)/.test(pattern)) return ' Inline flags are not known: use the parameter ignore_case.'
  const candidates = [withoutNeedlessEscapes(pattern), withEscapedBraces(pattern)]
  candidates.push(withEscapedBraces(candidates[0]!))
  const close = candidates.find(isValid)
  if (close !== undefined) return ` Write: ${close}`
  const literal = pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return isValid(literal) ? ` To search for this text as it is: ${literal}` : ''
}

// Other flavours allow `\"`, `\-` or `\<`; flag u knows only escapes that mean something.
function withoutNeedlessEscapes(pattern: string): string {
  return pattern.replace(/\\([^A-Za-z0-9])/g, (whole, char: string) =>
    /[\\^$.*+?()[\]{}|/]/.test(char) ? whole : char,
  )
}

// `interface {`: with flag u a brace must belong to a quantifier or be escaped.
function withEscapedBraces(pattern: string): string {
  return pattern.replace(/\\.|\{\d+(?:,\d*)?\}|[{}]/gs, part => (part === '{' || part === '}' ? `\\${part}` : part))
}

function isValid(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').flags === 'u'
  } catch {
    return false
  }
}
