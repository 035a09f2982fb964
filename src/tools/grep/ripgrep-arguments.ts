import { availableParallelism } from 'node:os'
import { CONTROL_BYTES, FILE_MARKS } from '../../workspace/index.js'

/** Bytes after which a file may be no plain text, so that it must be looked at whatever it contains. */
const UNUSUAL = `(?-u:[${CONTROL_BYTES.map(toByte).join('')}])|^(?-u:${FILE_MARKS.map(toMark).join('|')})`

/**
 * What makes ripgrep name every one of the given files that contains one of the literals, or may be something else than
 * plain text. Nothing but this decides: no configuration, no ignore file, no preprocessor, and bytes stay as they are.
 */
export function toArguments(literals: readonly string[], ignoreCase: boolean): string[] {
  const contained = literals.map(literal => [...literal].map(toEscape).join('')).join('|')
  return [
    '--no-config',
    '--no-ignore',
    '--hidden',
    '--no-pre',
    '--no-search-zip',
    '--no-messages',
    '--no-mmap',
    '--text',
    '--encoding=none',
    '--color=never',
    '--files-with-matches',
    '--null',
    // One core is left for the agent itself.
    `--threads=${Math.max(1, Math.min(12, availableParallelism() - 1))}`,
    `--regexp=(?${ignoreCase ? 'i' : '-i'}:${contained})`,
    `--regexp=${UNUSUAL}`,
    '--',
  ]
}

function toEscape(char: string): string {
  return /\w/.test(char) ? char : `\\x{${char.codePointAt(0)!.toString(16)}}`
}

// A line's beginning is all that can be asked for: a mark counts up to where its first line ends.
function toMark(mark: string): string {
  return [...mark.split('\n', 1)[0]!].map(char => toByte(char.charCodeAt(0))).join('')
}

function toByte(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`
}
