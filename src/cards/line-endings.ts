import type { LineChange } from './align-lines.js'

const NOT_CRLF = /(?<!\r)\n|\r(?!\n)/

type LineEnding = 'LF' | 'CRLF' | 'CR'

/**
 * Says how the endings of lines were changed (`CRLF → LF`), or undefined if they were not. Texts are raw; `changes` is their
 * alignment by lines, which does not see endings, numbered from line `firstLine` of the texts. Lines that were only added or only removed say nothing.
 */
export function describeLineEndingChange(
  before: string,
  after: string,
  changes: readonly LineChange[],
  firstLine: number,
): string | undefined {
  if (!before.includes('\r') && !after.includes('\r')) return undefined
  if (!NOT_CRLF.test(before) && !NOT_CRLF.test(after)) return undefined
  const oldEndings = listLineEndings(before)
  const newEndings = listLineEndings(after)
  const from = new Set<LineEnding>()
  const to = new Set<LineEnding>()
  const compareEqualLines = (oldFrom: number, oldTo: number, newFrom: number) => {
    for (let at = oldFrom, other = newFrom; at < oldTo; at++, other++) {
      const oldEnding = oldEndings[at]
      const newEnding = newEndings[other]
      if (oldEnding === undefined || newEnding === undefined || oldEnding === newEnding) continue
      from.add(oldEnding)
      to.add(newEnding)
    }
  }
  let oldAt = 0
  let newAt = 0
  for (const change of changes) {
    compareEqualLines(oldAt, firstLine + change.oldStart, newAt)
    oldAt = firstLine + change.oldEnd
    newAt = firstLine + change.newEnd
    const replaced = new Set(oldEndings.slice(firstLine + change.oldStart, oldAt))
    const replacing = new Set(newEndings.slice(firstLine + change.newStart, newAt))
    if (replaced.size > 0 && replacing.size > 0 && ![...replaced].some(ending => replacing.has(ending))) {
      for (const ending of replaced) from.add(ending)
      for (const ending of replacing) to.add(ending)
    }
  }
  compareEqualLines(oldAt, oldEndings.length, newAt)
  return from.size === 0 ? undefined : `${[...from].join(' and ')} → ${[...to].join(' and ')}`
}

/** One entry per line that has an ending. */
function listLineEndings(text: string): LineEnding[] {
  const endings: LineEnding[] = []
  let newline = text.indexOf('\n')
  let carriage = text.indexOf('\r')
  while (newline !== -1 || carriage !== -1) {
    if (carriage === -1 || (newline !== -1 && newline < carriage)) {
      endings.push('LF')
      newline = text.indexOf('\n', newline + 1)
    } else if (newline === carriage + 1) {
      endings.push('CRLF')
      newline = text.indexOf('\n', newline + 1)
      carriage = text.indexOf('\r', carriage + 1)
    } else {
      endings.push('CR')
      carriage = text.indexOf('\r', carriage + 1)
    }
  }
  return endings
}
