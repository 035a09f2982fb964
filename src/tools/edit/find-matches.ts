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
  let line = 1
  let at = 0
  return places.map(place => {
    for (let lf = body.indexOf(0x0a, at); lf !== -1 && lf < place; lf = body.indexOf(0x0a, at)) {
      line += 1
      at = lf + 1
    }
    return line
  })
}
