import { setImmediate as nextTurn } from 'node:timers/promises'

/** More places than this are neither listed nor replaced. */
export const MAX_MATCHES = 100_000

const MATCHES_PER_STEP = 10_000

/** Where `wanted` begins in `body`, in order, up to one more than MAX_MATCHES. `overlapping`: also inside another match. */
export async function findMatches(body: Buffer, wanted: Buffer, overlapping: boolean): Promise<number[]> {
  const places: number[] = []
  const stride = overlapping ? 1 : wanted.length
  for (
    let at = body.indexOf(wanted);
    at !== -1 && places.length <= MAX_MATCHES;
    at = body.indexOf(wanted, at + stride)
  ) {
    places.push(at)
    if (places.length % MATCHES_PER_STEP === 0) await nextTurn()
  }
  return places
}

/** The 1-based line numbers of places in `body`, which are in order. */
export function toLineNumbers(body: Buffer, places: readonly number[]): number[] {
  // One byte is one character: searching a text for each line end costs far less than searching a buffer.
  const head = body.toString('latin1', 0, places.at(-1) ?? 0)
  let line = 1
  let lf = head.indexOf('\n')
  return places.map(place => {
    for (; lf !== -1 && lf < place; lf = head.indexOf('\n', lf + 1)) line += 1
    return line
  })
}
