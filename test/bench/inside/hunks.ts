import { appliedHunks } from '../../../src/cards/index.js'
import type { InsideWork } from './inside-work.js'
import { timeOf } from './measure.js'

/** Applied hunks of the sizes that stall agents: the time of one diff, which is also how long the event loop waits. */
export const hunks: InsideWork = {
  name: 'hunks',
  title: 'Applied hunks',
  budgets: [
    { figure: 'oneChangeMs', most: 50 },
    { figure: 'unrelatedMs', most: 50 },
    { figure: 'longLineMs', most: 50 },
  ],
  async run() {
    const many = Array.from({ length: 100_000 }, (_, n) => `line ${n} of a long file\n`)
    const before = many.join('')
    const after = many.with(50_000, 'another line\n').join('')
    const left = Array.from({ length: 20_000 }, (_, n) => `left ${n * 7}\n`).join('')
    const right = Array.from({ length: 20_000 }, (_, n) => `right ${n * 11}\n`).join('')
    const long = 'x'.repeat(3_000_000)
    const longAfter = `${long.slice(0, 1_500_000)}y${long.slice(1_500_001)}`
    const diff = (a: string, b: string) => timeOf(20, () => appliedHunks('/p/file.txt', a, b))
    const [oneChange, unrelated, longLine] = [
      await diff(before, after),
      await diff(left, right),
      await diff(long, longAfter),
    ]
    return {
      oneChangeMs: oneChange.medianMs,
      unrelatedMs: unrelated.medianMs,
      longLineMs: longLine.medianMs,
    }
  },
}
