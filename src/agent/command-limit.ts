import type { ToolCallView } from '../cards/index.js'

const MAX_COMMAND_BYTES = 256 * 1024
/** Control characters take six bytes each on the wire, where a message has 1 MiB. */
const MAX_COMMAND_JSON_BYTES = 3 * MAX_COMMAND_BYTES

/** What is wrong with a terminal card whose command is too long to be shown whole, which it must be; else undefined. */
export function findCommandTooLong(view: ToolCallView | undefined): string | undefined {
  if (view?.card !== 'terminal') return undefined
  const bytes = Buffer.byteLength(view.title)
  const fits = bytes <= MAX_COMMAND_BYTES && Buffer.byteLength(JSON.stringify(view.title)) <= MAX_COMMAND_JSON_BYTES
  if (fits) return undefined
  return `the command: expected at most ${MAX_COMMAND_BYTES} bytes, got ${bytes}; put it in a file and run that`
}
