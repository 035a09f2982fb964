import { HarnessError } from '../../cards/index.js'
import { findMatches, MAX_MATCHES, toLineNumbers } from './find-matches.js'
import { type LfView, toLfView } from './lf-view.js'
import { findNearest } from './nearest.js'
import type { Replacement } from './replacements.js'

const LISTED_LINES = 10

/** A file's bytes after one replacement. */
export interface Replaced {
  bytes: Buffer
  /** How many places were replaced. */
  count: number
  /** Lines of the first of them, as the file was before. */
  lines: number[]
}

/**
 * Replaces text that stands in the file exactly, line endings apart; every byte outside the changed part stays. `bodyStart`
 * is where the text begins after a byte order mark. Throws NO_MATCH, AMBIGUOUS_MATCH, TOO_LARGE; never guesses (B11).
 */
export async function replaceText(bytes: Buffer, bodyStart: number, replacement: Replacement): Promise<Replaced> {
  const view = await toLfView(bytes, bodyStart)
  // A byte order mark copied into the arguments is not part of the text (B05).
  const wanted = view.toBody(withoutMark(replacement.oldText))
  const inserted = view.toBody(withoutMark(replacement.newText))
  const places = wanted.length === 0 ? [] : await findMatches(view.body, wanted, !replacement.all)
  if (places.length === 0) throw await noMatch(view, replacement.oldText)
  if (places.length > 1 && !replacement.all) throw ambiguous(view, places)
  if (places.length > MAX_MATCHES) {
    throw new HarnessError(
      'TOO_LARGE',
      `old_string stands in more than ${MAX_MATCHES} places. Use a shell command for that.`,
    )
  }
  const head = commonHead(wanted, inserted)
  const tail = commonTail(wanted, inserted, head)
  const pieces: Buffer[] = []
  let done = 0
  for (const place of places) {
    const from = place + head
    const to = place + wanted.length - tail
    pieces.push(
      bytes.subarray(done, view.toFile(from)),
      withEndings(view, from, to, inserted.subarray(head, inserted.length - tail)),
    )
    done = view.toFile(to)
  }
  pieces.push(bytes.subarray(done))
  return {
    bytes: Buffer.concat(pieces),
    count: places.length,
    lines: toLineNumbers(view.body, places.slice(0, LISTED_LINES)),
  }
}

// Only the part that differs is spliced, so lines that an edit merely repeats keep their own endings in a mixed file.
function withEndings(view: LfView, from: number, to: number, inserted: Buffer): Buffer {
  if (!inserted.includes(0x0a)) return inserted
  const endings: string[] = []
  for (let lf = view.body.indexOf(0x0a, from); lf !== -1 && lf < to; lf = view.body.indexOf(0x0a, lf + 1)) {
    endings.push(view.endingAt(lf))
  }
  if (endings.length === 0) endings.push(nearestEnding(view, from, to))
  if (endings.every(ending => ending === '\n')) return inserted
  const lines = inserted.toString('latin1').split('\n')
  const last = lines.length - 1
  const joined = lines.map((line, n) => (n === last ? line : line + (endings[n] ?? endings.at(-1))))
  return Buffer.from(joined.join(''), 'latin1')
}

function nearestEnding(view: LfView, from: number, to: number): string {
  const before = from === 0 ? -1 : view.body.lastIndexOf(0x0a, from - 1)
  if (before !== -1) return view.endingAt(before)
  const after = view.body.indexOf(0x0a, to)
  return after === -1 ? '\n' : view.endingAt(after)
}

function commonHead(left: Buffer, right: Buffer): number {
  const limit = Math.min(left.length, right.length)
  let length = 0
  while (length < limit && left[length] === right[length]) length += 1
  return length
}

function commonTail(left: Buffer, right: Buffer, head: number): number {
  const limit = Math.min(left.length, right.length) - head
  let length = 0
  while (length < limit && left[left.length - 1 - length] === right[right.length - 1 - length]) length += 1
  return length
}

function ambiguous(view: LfView, places: readonly number[]): HarnessError {
  const lines = toLineNumbers(view.body, places.slice(0, LISTED_LINES)).join(', ')
  const more = places.length > LISTED_LINES ? ', …' : ''
  const count = places.length > MAX_MATCHES ? `more than ${MAX_MATCHES}` : String(places.length)
  return new HarnessError(
    'AMBIGUOUS_MATCH',
    `old_string stands in ${count} places (lines ${lines}${more}). Give more of the text around the one you mean, or set replace_all.`,
  )
}

async function noMatch(view: LfView, oldText: string): Promise<HarnessError> {
  const nearest = await findNearest(view.body, oldText)
  return new HarnessError(
    'NO_MATCH',
    `old_string does not stand in the file; it must match exactly, blanks included.${nearest}`,
  )
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}
