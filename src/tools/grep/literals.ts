import { betterOf, crossOf, isUseful, unionOf } from './literal-sets.js'

const MAX_DEPTH = 40

/** What is known of the texts that a part of a pattern matches. */
interface Known {
  /** All of them, or more. */
  all?: string[]
  /** Each of them contains one of these. */
  within?: string[]
  /** It may stand several times in a row. */
  repeated?: boolean
}

const NOTHING: Known = {}
const ZERO_WIDTH: Known = { all: [''] }

/**
 * Texts of which every match of a pattern (valid with flag u) contains at least one, on its line; undefined if the pattern
 * says too little. With `ignoreCase` they are ASCII, and contained in any case.
 */
export function requiredLiterals(pattern: string, ignoreCase: boolean): string[] | undefined {
  const reader = new PatternReader(pattern, ignoreCase)
  const known = reader.readDisjunction(0)
  if (reader.isLost) return undefined
  const best = betterOf(known.all, known.within)
  return isUseful(best) ? best : undefined
}

/** Finds the literals, in any case if the pattern ignores it; undefined without literals. */
export function toNeedle(literals: readonly string[] | undefined, ignoreCase: boolean): RegExp | undefined {
  const escaped = literals?.map(literal => literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  return escaped && new RegExp(escaped.join('|'), ignoreCase ? 'iu' : 'u')
}

class PatternReader {
  /** The pattern says something that is not read here, so nothing is known. */
  isLost = false
  private position = 0

  constructor(
    private readonly pattern: string,
    private readonly ignoreCase: boolean,
  ) {}

  readDisjunction(depth: number): Known {
    const alternatives = [this.readAlternative(depth)]
    while (this.take('|')) alternatives.push(this.readAlternative(depth))
    if (alternatives.length === 1) return alternatives[0]!
    const all = unionOf(alternatives.map(known => known.all))
    const within = unionOf(alternatives.map(known => betterOf(known.all, known.within)))
    return { ...(all && { all }), ...(isUseful(within) && { within }) }
  }

  private readAlternative(depth: number): Known {
    if (depth > MAX_DEPTH) this.isLost = true
    // What the text can be since the last part that is not known.
    let run = ['']
    let isWhole = true
    let best: string[] | undefined
    while (!this.isLost && this.position < this.pattern.length && !/[|)]/.test(this.pattern[this.position]!)) {
      const { all, within, repeated } = this.readQuantified(depth)
      const longer = all && crossOf(run, all)
      if (longer && !repeated) {
        run = longer
        continue
      }
      isWhole = false
      best = betterOf(betterOf(best, longer ?? run), within)
      run = all ?? ['']
    }
    const found = betterOf(best, run)
    return { ...(isWhole && { all: run }), ...(isUseful(found) && { within: found }) }
  }

  private readQuantified(depth: number): Known {
    const known = this.readAtom(depth)
    const [quantifier] = this.match(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y) ?? []
    if (quantifier === undefined) return known
    if (/^[?]|^\{0,1\}/.test(quantifier)) {
      const all = known.all && unionOf([known.all, ['']])
      return all ? { all } : NOTHING
    }
    if (/^\*|^\{0+[,}]/.test(quantifier)) return NOTHING
    return { ...known, repeated: true }
  }

  private readAtom(depth: number): Known {
    if (this.match(/[$^]|\\[bB]/y)) return ZERO_WIDTH
    if (this.match(/\.|\\[dDwWsS]|\\[pP]\{[^}]*\}|\\k<[^>]*>|\\[1-9]\d*|\\c[A-Za-z]|\\[0nvfr]/y)) return NOTHING
    if (this.take('[')) return this.readClass()
    if (this.take('(')) return this.readGroup(depth + 1)
    return this.toKnown(this.readCharacter())
  }

  private readClass(): Known {
    const [body = ''] = this.match(/(?:[^\]\\]|\\.)*/suy) ?? []
    if (!this.take(']')) this.isLost = true
    if (!/^[^\\^-]{1,4}$/u.test(body)) return NOTHING
    return unionOf([...body].map(char => this.toKnown(char).all)) === undefined ? NOTHING : { all: [...body] }
  }

  private readGroup(depth: number): Known {
    const [opening] = this.match(/\?(?::|<?[=!]|<[^=!>][^>]*>)/y) ?? []
    // Flags for a part of the pattern, which only later engines know.
    if (opening === undefined && this.pattern[this.position] === '?') this.isLost = true
    const inner = this.isLost ? NOTHING : this.readDisjunction(depth)
    if (!this.take(')')) this.isLost = true
    return opening !== undefined && /[=!]$/.test(opening) ? ZERO_WIDTH : inner
  }

  /** One character, written out or escaped; a pair of escaped surrogates is one. */
  private readCharacter(): string {
    const code = this.match(/\\u\{([0-9a-fA-F]+)\}|\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/y)
    if (code?.[1] !== undefined) return String.fromCodePoint(Number.parseInt(code[1], 16))
    if (code) return String.fromCharCode(Number.parseInt(code[2]!, 16), Number.parseInt(code[3]!, 16))
    const unit = this.match(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/y)
    if (unit) return String.fromCharCode(Number.parseInt(unit[1] ?? unit[2]!, 16))
    if (this.match(/\\t/y)) return '\t'
    const escaped = this.match(/\\([$()*+./?[\\\]^{|}])/y)
    if (escaped) return escaped[1]!
    const char = String.fromCodePoint(this.pattern.codePointAt(this.position) ?? 0)
    if (char === '\\') this.isLost = true
    this.position += char.length
    return char
  }

  // Nothing that files hold in another form than the text that is searched, and nothing that has cases of its own.
  private toKnown(char: string): Known {
    const isKept = this.ignoreCase ? /^[\t -~]$/ : /^(?![\ufeff\ufffd])[\t -~\u00a0-\ud7ff\ue000-\u{10ffff}]$/u
    return isKept.test(char) ? { all: [char] } : NOTHING
  }

  private take(char: string): boolean {
    if (this.pattern[this.position] !== char) return false
    this.position += 1
    return true
  }

  private match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.position
    const match = sticky.exec(this.pattern)
    if (match) this.position = sticky.lastIndex
    return match
  }
}
