import { type Fields, isFields, toText } from '../../bridge/index.js'
import { headAndTail } from '../../cards/index.js'
import type { ReportProblem } from './client-card.js'

/** A terminal as a client holds it. */
export interface ClientTerminal {
  cwd?: string
  /** With its middle left out once it is longer than a client keeps. */
  output: string
  exit?: { exit_code?: number; signal?: string }
}

const MAX_OUTPUT_LENGTH = 8 * 1024 * 1024
const KEPT_OUTPUT_BYTES = 2 * 1024 * 1024

/** The terminal after the `_meta` of one update; undefined if there is none. */
export function foldTerminalFields(
  before: ClientTerminal | undefined,
  meta: Fields,
  report: ReportProblem,
): ClientTerminal | undefined {
  let terminal = before
  const { terminal_info: info, terminal_exit: exit } = meta
  if (isFields(info)) {
    const cwd = toText(info.cwd)
    terminal = { output: '', ...terminal, ...(cwd ? { cwd } : {}) }
  }
  for (const key of ['terminal_output', 'terminal_output_delta']) {
    const output = meta[key]
    if (!isFields(output)) continue
    if (!terminal || terminal.exit) report(`${key} for a terminal that is not there`)
    terminal = { ...terminal, output: joinOutput(terminal?.output ?? '', toText(output.data) ?? '') }
  }
  if (isFields(exit)) {
    if (!terminal || terminal.exit) report('terminal_exit for a terminal that is not there')
    terminal = { output: '', ...terminal, exit: toExit(exit.exit_code, exit.signal) }
  }
  return terminal
}

/** How a terminal ended, from fields of any shape. */
export function toExit(code: unknown, signal: unknown): NonNullable<ClientTerminal['exit']> {
  return { ...(typeof code === 'number' ? { exit_code: code } : {}), ...(typeof signal === 'string' ? { signal } : {}) }
}

function joinOutput(before: string, data: string): string {
  const joined = before + data
  return joined.length > MAX_OUTPUT_LENGTH ? headAndTail(joined, KEPT_OUTPUT_BYTES) : joined
}
