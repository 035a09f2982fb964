import { type Line, toAnsi } from './draw/styled.js'

/** Writes a line for people or for a pipe; a reader that has gone ends the process quietly. */
export function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

/** Draws lines in colour on a terminal, plain in a pipe and with NO_COLOR. */
export function printLines(lines: readonly Line[]): void {
  process.stdout.write(toAnsi(lines, hasColour()))
}

function hasColour(): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env
  if (NO_COLOR) return false
  if (FORCE_COLOR && FORCE_COLOR !== '0') return true
  return process.stdout.isTTY === true && TERM !== 'dumb'
}
