import { type Line, toAnsi } from './draw/styled.js'

let isGuarded = false

/** Writes a line for people or for a pipe; a reader that has gone ends the process quietly. */
export function print(text: string): void {
  write(text.endsWith('\n') ? text : `${text}\n`)
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
