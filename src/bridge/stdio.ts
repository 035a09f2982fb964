import type { Readable, Writable } from 'node:stream'
import { ndJsonStream, RequestError, type Stream } from '@agentclientprotocol/sdk'

/** An incoming line over this is dropped to its newline and answered -32700. The SDK would close the connection at 32 MiB. */
const MAX_LINE_BYTES = 16 * 1024 * 1024
const NEWLINE = 0x0a

/** An ACP stream over Node streams: one JSON object per line both ways. End of input closes the connection. */
export function stdioStream(input: Readable, output: Writable): Stream {
  const write = (bytes: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      output.write(bytes, error => (error ? reject(error) : resolve()))
    })
  // A reader that goes away raises an error event besides the failed write; without a listener it would end the process.
  output.on('error', () => {})
  const answerTooLong = () => {
    const error = RequestError.parseError({ details: `A line is longer than ${MAX_LINE_BYTES} bytes and was dropped.` })
    const line = `${JSON.stringify({ jsonrpc: '2.0', id: null, error: error.toErrorResponse() })}\n`
    void write(Buffer.from(line)).catch(() => {})
  }
  return ndJsonStream(new WritableStream({ write }), boundedLines(input, MAX_LINE_BYTES, answerTooLong))
}

/** Passes bytes through, without any line that is longer than `maxLineBytes`; each such line calls `onTooLong` once. */
export function boundedLines(
  input: AsyncIterable<Uint8Array> & { destroy?(): void },
  maxLineBytes: number,
  onTooLong: () => void,
): ReadableStream<Uint8Array> {
  const chunks = boundedChunks(input, maxLineBytes, onTooLong)
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel() {
      input.destroy?.()
    },
  })
}

async function* boundedChunks(
  input: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
  onTooLong: () => void,
): AsyncGenerator<Uint8Array, void> {
  // The unfinished line is held back: once it is handed on, it can no longer be dropped.
  let held: Uint8Array[] = []
  let heldBytes = 0
  let dropping = false
  for await (const chunk of input) {
    let start = 0
    const last = chunk.lastIndexOf(NEWLINE)
    if (dropping) {
      const end = chunk.indexOf(NEWLINE)
      if (end < 0) continue
      dropping = false
      start = end + 1
    }
    if (last >= start) {
      const first = chunk.indexOf(NEWLINE, start)
      if (heldBytes + (first - start) > maxLineBytes) onTooLong()
      else yield Buffer.concat([...held, chunk.subarray(start, first + 1)])
      if (last > first) yield chunk.subarray(first + 1, last + 1)
      held = []
      heldBytes = 0
      start = last + 1
    }
    held.push(chunk.subarray(start))
    heldBytes += chunk.length - start
    if (heldBytes > maxLineBytes) {
      onTooLong()
      held = []
      heldBytes = 0
      dropping = true
    }
  }
  if (heldBytes > 0) yield Buffer.concat(held)
}
