import { setImmediate as nextTurn } from 'node:timers/promises'

const MAX_SCANNED_LINES = 200_000
const LINES_PER_STEP = 2000
const MAX_WANTED_LINES = 50
const MAX_LINE_BYTES = 400
const MAX_SHOWN_LINES = 8
const MAX_VOTES = 50_000
/** Shorter lines stand everywhere and say nothing about a place: a lone brace (B11). */
const MIN_TELLING_LENGTH = 4
const MIN_SIMILARITY = 0.5

/** Says where text that does not stand in the file nearly does: numbered lines as they really are, or an empty string. */
export async function findNearest(body: Buffer, oldText: string): Promise<string> {
  const lines = oldText.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const wanted = lines.slice(0, MAX_WANTED_LINES).map(line => line.trim())
  const start = (await findByEqualLines(body, wanted)) ?? (await findBySimilarLine(body, wanted))
  return numberedHint(lines) + (start === undefined ? '' : describe(body, start, lines))
}

function describe(body: Buffer, start: number, lines: readonly string[]): string {
  // The wanted text may begin above the file's first line.
  const first = Math.max(1, start)
  const expected = lines.slice(first - start)
  const shown = takeLines(body, first, Math.min(expected.length, MAX_SHOWN_LINES))
  const blanksOnly = shown.length === lines.length && shown.every((line, n) => line.trim() === expected[n]?.trim())
  const listed = shown.map((line, n) => `${String(first + n).padStart(6)}\t${line}`)
  return `\nThe nearest lines${blanksOnly ? ', which differ only in blanks at their ends' : ''}:\n${listed.join('\n')}`
}

function numberedHint(lines: readonly string[]): string {
  const numbered = lines.every(line => line === '' || /^\s*\d+\t/.test(line))
  return numbered ? ' Leave out the line numbers: they are not part of the file.' : ''
}

// Each line that stands in both votes for the place where the wanted text would begin; longer lines count more.
async function findByEqualLines(body: Buffer, wanted: readonly string[]): Promise<number | undefined> {
  const places = new Map<string, number[]>()
  for (const [n, line] of wanted.entries()) {
    if (line.length >= MIN_TELLING_LENGTH) places.set(line, [...(places.get(line) ?? []), n])
  }
  if (places.size === 0) return undefined
  const votes = new Map<number, number>()
  await scanLines(body, (line, number) => {
    for (const n of places.get(line) ?? []) {
      const start = number - n
      if (votes.has(start) || votes.size < MAX_VOTES)
        votes.set(start, (votes.get(start) ?? 0) + Math.min(line.length, 60))
    }
  })
  let best: number | undefined
  for (const [start, weight] of votes) {
    if (best === undefined || weight > votes.get(best)!) best = start
  }
  return best
}

async function findBySimilarLine(body: Buffer, wanted: readonly string[]): Promise<number | undefined> {
  const longest = wanted.reduce((best, line, n) => (line.length > wanted[best]!.length ? n : best), 0)
  const words = toWords((wanted[longest] ?? '').slice(0, MAX_LINE_BYTES))
  if (words.size === 0) return undefined
  let best: number | undefined
  let bestSimilarity = MIN_SIMILARITY
  await scanLines(body, (line, number) => {
    const others = toWords(line)
    let common = 0
    for (const word of others) if (words.has(word)) common += 1
    const similarity = (2 * common) / (words.size + others.size)
    if (similarity > bestSimilarity) {
      best = number - longest
      bestSimilarity = similarity
    }
  })
  return best
}

function toWords(line: string): Set<string> {
  return new Set(line.match(/[\p{L}\p{N}_]+/gu) ?? [])
}

async function scanLines(body: Buffer, visit: (line: string, number: number) => void): Promise<void> {
  let start = 0
  for (let number = 1; start < body.length && number <= MAX_SCANNED_LINES; number++) {
    if (number % LINES_PER_STEP === 0) await nextTurn()
    const end = lineEnd(body, start)
    visit(decodeLine(body, start, end).trim(), number)
    start = end + 1
  }
}

function takeLines(body: Buffer, first: number, count: number): string[] {
  const lines: string[] = []
  let start = 0
  for (let number = 1; start < body.length && number < first + count; number++) {
    const end = lineEnd(body, start)
    if (number >= first) lines.push(decodeLine(body, start, end))
    start = end + 1
  }
  return lines
}

function lineEnd(body: Buffer, start: number): number {
  const lf = body.indexOf(0x0a, start)
  return lf === -1 ? body.length : lf
}

function decodeLine(body: Buffer, start: number, end: number): string {
  const cut = end - start > MAX_LINE_BYTES
  return body.toString('utf8', start, cut ? start + MAX_LINE_BYTES : end) + (cut ? '…' : '')
}
