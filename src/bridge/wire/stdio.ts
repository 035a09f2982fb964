import type { Readable, Writable } from 'node:stream'
import { type AnyMessage, RequestError, type Stream } from '@agentclientprotocol/sdk'
import { type BoundedLine, readBoundedLines } from './bounded-lines.js'

/** An incoming line over this is dropped to its newline and answered -32700, like any that is no JSON. */
const MAX_LINE_BYTES = 16 * 1024 * 1024

/**
 * An ACP stream over Node streams: one JSON object per line both ways. A line that is none is answered with an error of id
 * null and goes no further. End of input closes the connection.
 */
export function stdioStream(input: Readable, output: Writable): Stream {
  // A reader that goes away raises an error event besides the failed write; without a listener it would end the process.
  output.on('error', () => {})
  const write = (message: object): Promise<void> =>
    new Promise((resolve, reject) => {
      output.write(`${JSON.stringify(message)}\n`, error => (error ? reject(error) : resolve()))
    })
  const lines = readBoundedLines(input, MAX_LINE_BYTES)
  const readable = new ReadableStream<AnyMessage>(
    {
      async pull(controller) {
        for (;;) {
          const { value, done } = await lines.next()
          if (done) return controller.close()
          const message = parseLine(value)
          if (message instanceof RequestError) {
            // Awaited, so that a client which sends nonsense and reads nothing is no longer read itself.
            await write({ jsonrpc: '2.0', id: null, error: message.toErrorResponse() })
          } else if (message) return controller.enqueue(message)
        }
      },
      cancel() {
        input.destroy()
      },
    },
    { highWaterMark: 0 },
  )
  return { readable, writable: new WritableStream<AnyMessage>({ write }) }
}

/** The message of a line; undefined for a blank one. */
function parseLine(line: BoundedLine): AnyMessage | RequestError | undefined {
  if (line === undefined) return wrong('parseError', `A line is longer than ${MAX_LINE_BYTES} bytes and was dropped.`)
  const text = Buffer.from(line.buffer, line.byteOffset, line.length).toString('utf8')
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as AnyMessage
  } catch {
    return wrong('parseError', 'A line is not JSON.')
  }
  return wrong('invalidRequest', 'A line is not a JSON object; batches are not supported.')
}

function wrong(kind: 'parseError' | 'invalidRequest', details: string): RequestError {
  return RequestError[kind]({ details })
}
