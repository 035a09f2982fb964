import type { Assignment, Word, WordPart } from 'unbash'

/** A character of a glob pattern: itself, or one (`?`) or any number (`*`) of unknown ones. */
export type GlobToken = string | { readonly any: '?' | '*' }

/** A word of a command, quotes and escapes resolved. */
export interface CommandWord {
  /** As it stands in the line. */
  readonly text: string
  /** What the program gets; undefined if that shows only when it runs. */
  readonly value: string | undefined
  /** How it begins in any case. */
  readonly start: string
  /** For a word that stands for file names. */
  readonly glob?: readonly GlobToken[]
}

export function staticWord(value: string): CommandWord {
  return { text: value, value, start: value }
}

/** Words that come from somewhere else, any number of them. */
export const UNKNOWN_WORD: CommandWord = { text: '…', value: undefined, start: '' }

export function toCommandWord(word: Word | Assignment): CommandWord {
  if (word.type === 'Assignment') return fromAssignment(word)
  const tokens: GlobToken[] = []
  let start = ''
  let isKnown = true
  let isGlob = false
  const add = (value: string) => {
    if (isKnown && !isGlob) start += value
    tokens.push(value)
  }
  const lose = () => {
    isKnown = false
  }
  const take = (part: WordPart): void => {
    switch (part.type) {
      case 'Literal':
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        add(part.value)
        break
      case 'DoubleQuoted':
      case 'LocaleString':
        for (const child of part.parts) take(child)
        break
      case 'Glob':
        isGlob = true
        // What stands between the brackets counts as any character: more names fit, never fewer.
        if (part.kind === 'bracket' && part.text.includes('/')) lose()
        tokens.push({ any: part.kind === 'star' ? '*' : '?' })
        break
      default:
        lose()
    }
  }
  // A tilde stands for a folder outside the line: at the start, and after = or : in what looks like an assignment.
  const tilde = /^~|[=:]~/.exec(word.text)
  if (tilde) {
    return { text: word.text, value: undefined, start: tilde.index === 0 ? '' : word.text.slice(0, tilde.index + 1) }
  }
  if (word.parts === undefined) return { text: word.text, value: word.value, start: word.value }
  for (const part of word.parts) take(part)
  if (isKnown && !isGlob) return { text: word.text, value: start, start }
  return { text: word.text, value: undefined, start, ...(isKnown ? { glob: tokens } : {}) }
}

function fromAssignment({ text, name, append, index, value }: Assignment): CommandWord {
  const head = `${name}${append ? '+' : ''}=`
  if (value.type !== 'Word' || index !== undefined) return { text, value: undefined, start: name }
  const inner = toCommandWord(value)
  return {
    text,
    value: inner.value === undefined ? undefined : head + inner.value,
    start: head + inner.start,
  }
}
