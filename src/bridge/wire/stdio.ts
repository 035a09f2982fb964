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
  const write = createWriter(output)
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

/**
 * Writes messages as lines. Notifications of one moment leave together, in one call of the system, and are waited for only
 * while more stands before them than the output takes, so that a client which reads nothing holds its agent up. Requests
 * and responses are waited for. Rejects once the output has failed.
 */
function createWriter(output: Writable): (message: object) => Promise<void> {
  let isCorked = false
  let failure: Error | undefined
  const uncork = () => {
    if (!isCorked) return
    isCorked = false
    output.uncork()
  }
  return message =>
    new Promise((resolve, reject) => {
      if (failure) return reject(failure)
      const isNotification = !('id' in message)
      if (isNotification && !isCorked) {
        isCorked = true
        output.cork()
        process.nextTick(uncork)
      }
      const hasRoom = output.write(`${JSON.stringify(message)}\n`, error => {
        if (!error) return resolve()
        failure = error
        reject(error)
      })
      if (!isNotification) uncork()
      else if (hasRoom) resolve()
    })
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
