import { readFence } from './fences.js'
import { readJsonObject } from './json-object.js'

/** What belongs to a `/tool` line besides its name, whatever tool it is. `next` is the first line after it. */
export interface CommandBody {
  /** The rest of the line; a JSON object may have gone on over further lines. */
  text: string
  isObject: boolean
  blocks: string[]
  next: number
  /** What is wrong with the form, and where. */
  wrong?: { line: number; problem: string }
}

/** Reads `rest`, the end of line `at`, and the fenced blocks after it; blank lines between them are allowed. */
export function readCommandBody(lines: readonly string[], at: number, rest: string): CommandBody {
  const body = rest.startsWith('{') ? readObject(lines, at, rest) : toBody(rest, at + 1)
  for (;;) {
    const open = skipBlankLines(lines, body.next)
    const fence = readFence(lines, open)
    if (fence === undefined) return body
    if (!fence.closed) {
      return { ...body, next: lines.length, wrong: body.wrong ?? { line: open, problem: 'this fence is not closed' } }
    }
    body.blocks.push(fence.text)
    body.next = fence.next
  }
}

function readObject(lines: readonly string[], at: number, rest: string): CommandBody {
  const object = readJsonObject(lines, at, rest)
  if ('problem' in object) {
    return { ...toBody('', lines.length), wrong: { line: at, problem: object.problem } }
  }
  const body = { ...toBody(object.text, object.next), isObject: true }
  if (object.after.trim() === '') return body
  return { ...body, wrong: { line: object.next - 1, problem: 'there is text after the JSON object' } }
}

function toBody(text: string, next: number): CommandBody {
  return { text, isObject: false, blocks: [], next }
}

function skipBlankLines(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && lines[at]?.trim() === '') at++
  return at
}
