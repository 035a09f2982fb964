const NEWLINE = 0x0a

/** A line of input without its newline, or undefined in the place of one that is longer than allowed. */
export type BoundedLine = Uint8Array | undefined

/** Splits bytes into lines; of a line over `maxBytes` nothing is kept. A last line without a newline counts. */
export async function* readBoundedLines(
  input: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<BoundedLine, void> {
  let held: Uint8Array[] = []
  let heldBytes = 0
  for await (const chunk of input) {
    let start = 0
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start)
      const part = chunk.subarray(start, end < 0 ? chunk.length : end)
      heldBytes += part.length
      if (heldBytes > maxBytes) held = []
      else if (part.length > 0) held.push(part)
      if (end < 0) break
      yield heldBytes > maxBytes ? undefined : Buffer.concat(held)
      held = []
      heldBytes = 0
      start = end + 1
    }
  }
  if (heldBytes > 0) yield heldBytes > maxBytes ? undefined : Buffer.concat(held)
}
