import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appliedHunks, type FileDiff } from '../../src/cards/index.js'

const toLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []
const asShown = (text: string): string => text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')

/** Few different lines, so that they repeat; every ending, and now and then none at all. */
const line = fc.constantFrom('a', 'b', 'c', '', '}', '  x', 'é', '🙂')
const ending = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r')
const file = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(line, ending), { maxLength: 60 }), fc.constantFrom('', '', 'end', '}'))
  .map(([mark, lines, last]) => `${mark ? '\ufeff' : ''}${lines.map(pair => pair.join('')).join('')}${last}`)

/** A file and the same file after a few edits: what tools do. */
const edited = fc
  .tuple(
    fc.array(line, { maxLength: 120 }),
    fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.array(line, { maxLength: 3 })), { maxLength: 5 }),
  )
  .map(([lines, edits]) => {
    const after = [...lines]
    for (const [at, removed, added] of edits) after.splice(at % (after.length + 1), removed, ...added)
    return [lines.map(text => `${text}\n`).join(''), after.map(text => `${text}\n`).join('')] as const
  })

const pair = fc.oneof(edited, fc.tuple(file, file))

/** Replaces each hunk's old lines by its new ones, at the place its line number gives. */
function applyByLineNumber(before: string, hunks: readonly FileDiff[]): string {
  const old = toLines(before)
  const result: string[] = []
  let taken = 0
  for (const { oldText, newText, line: first } of hunks) {
    const removed = toLines(oldText ?? '')
    const added = toLines(newText)
    let same = 0
    while (same < added.length && added[same] === removed[same]) same++
    // A deletion at the end of the file is numbered by the last line, one above its own place.
    const isClamped =
      same === added.length && same > 0 && result.length + old.length - taken === first! - 1 + removed.length - same + 1
    const start = first! - 1 - same + (isClamped ? 1 : 0)
    while (result.length < start) result.push(old[taken++]!)
    expect(old.slice(taken, taken + removed.length)).toEqual(removed)
    result.push(...added)
    taken += removed.length
  }
  return [...result, ...old.slice(taken)].join('')
}

describe('hunks of any two files', () => {
  it('turn before into after when applied at their line numbers', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const { hunks } = appliedHunks('/w/f', before, after)
        expect(applyByLineNumber(asShown(before), hunks)).toBe(asShown(after))
      }),
      { numRuns: 2000 },
    )
  })

  it('are exact slices of both sides, differ, overlap nowhere and hold no CR and no marker', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const { hunks } = appliedHunks('/w/f', before, after)
        let oldAt = 0
        let newAt = 0
        for (const { oldText, newText, line: first } of hunks) {
          expect(oldText).not.toBe(newText)
          expect(`${oldText}${newText}`).not.toMatch(/[\r\ufeff\\]/)
          expect(first).toBeGreaterThanOrEqual(1)
          expect(first).toBeLessThanOrEqual(Math.max(1, toLines(asShown(after)).length))
          oldAt = asShown(before).indexOf(oldText ?? '', oldAt)
          newAt = asShown(after).indexOf(newText, newAt)
          expect(oldAt).toBeGreaterThanOrEqual(0)
          expect(newAt).toBeGreaterThanOrEqual(0)
          oldAt += oldText?.length ?? 0
          newAt += newText.length
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('never leave a change unsaid: without hunks there is a reason, with the same text none', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const { hunks, reason } = appliedHunks('/w/f', before, after)
        expect(hunks.length > 0 || reason !== undefined).toBe(before !== after)
        expect(hunks.length > 0).toBe(asShown(before) !== asShown(after))
        expect(appliedHunks('/w/f', before, before)).toEqual({ hunks: [] })
      }),
      { numRuns: 1000 },
    )
  })

  it('hold at most three unchanged lines at either end', () => {
    fc.assert(
      fc.property(edited, ([before, after]) => {
        for (const { oldText, newText } of appliedHunks('/w/f', before, after).hunks) {
          const removed = toLines(oldText ?? '')
          const added = toLines(newText)
          let same = 0
          while (same < added.length && added[same] === removed[same]) same++
          expect(same).toBeLessThanOrEqual(3)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
