import { visibleControls } from '../cards/index.js'
import { type Line, toAnsi } from './draw/styled.js'

/** What JSON leaves as it is and a terminal acts on: delete, C1 controls, and marks that reorder text. */
const ACTING = /[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

let isGuarded = false

/**
 * Writes a line, in which no control character of what was read acts on the terminal. A reader that has gone ends the process
 * quietly.
 */
export function print(text: string): void {
  const shown = visibleControls(text, { keepNewlines: true })
  write(shown.endsWith('\n') ? shown : `${shown}\n`)
}

/** Writes a value as JSON, on one line unless it is indented; what a terminal would act on is escaped. */
export function printJson(value: unknown, indent?: number): void {
  const text = JSON.stringify(value, undefined, indent)
  write(`${text.replace(ACTING, found => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`)
}

/** Writes a line to stderr, as `print` does. */
export function printProblem(text: string): void {
  process.stderr.write(`${visibleControls(text, { keepNewlines: true })}\n`)
}

/** Draws lines in colour on a terminal, plain in a pipe and with NO_COLOR. */
export function printLines(lines: readonly Line[]): void {
  write(toAnsi(lines, hasColour()))
}

function write(text: string): void {
  if (!isGuarded) process.stdout.on('error', onFailure)
  isGuarded = true
  process.stdout.write(text)
}

function onFailure(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit(process.exitCode ?? 0)
}

function hasColour(): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env
  if (NO_COLOR) return false
  if (FORCE_COLOR && FORCE_COLOR !== '0') return true
  return process.stdout.isTTY === true && TERM !== 'dumb'
}
