import { setImmediate as yieldToLoop } from 'node:timers/promises'

const RUN_LENGTH = 8192

interface Keyed<T> {
  key: string
  value: T
}

/** The values in byte order of their names. Sorts in runs: 100,000 names at once would hold the event loop for 100 ms. */
export async function sortByNameBytes<T extends { name: string }>(values: readonly T[]): Promise<T[]> {
  let runs: Keyed<T>[][] = []
  for (let start = 0; start < values.length; start += RUN_LENGTH) {
    if (start > 0) await yieldToLoop()
    const run = values.slice(start, start + RUN_LENGTH).map(value => ({ key: toByteOrderKey(value.name), value }))
    runs.push(run.sort(byKey))
  }
  while (runs.length > 1) {
    const merged: Keyed<T>[][] = []
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(mergeRuns(runs[index]!, runs[index + 1] ?? []))
      await yieldToLoop()
    }
    runs = merged
  }
  return (runs[0] ?? []).map(keyed => keyed.value)
}

function byKey<T>(a: Keyed<T>, b: Keyed<T>): number {
  return a.key < b.key ? -1 : 1
}

function mergeRuns<T>(left: Keyed<T>[], right: Keyed<T>[]): Keyed<T>[] {
  const merged: Keyed<T>[] = []
  let [l, r] = [0, 0]
  while (l < left.length && r < right.length) {
    merged.push(right[r]!.key < left[l]!.key ? right[r++]! : left[l++]!)
  }
  while (l < left.length) merged.push(left[l++]!)
  while (r < right.length) merged.push(right[r++]!)
  return merged
}

// UTF-16 order is byte order except that surrogates stand for the code points above U+FFFF.
function toByteOrderKey(name: string): string {
  if (!/[\ud800-\uffff]/.test(name)) return name
  return name.replace(/[\ud800-\uffff]/g, unit => {
    const code = unit.charCodeAt(0)
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800)
  })
}
