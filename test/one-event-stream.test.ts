import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toOneEventStream } from '../bundle.config.js'

type Parse = (options: { stream: ReadableStream<Uint8Array> }) => ReadableStream<unknown>

const ofProvider = createRequire(createRequire(import.meta.url).resolve('@ai-sdk/openai-compatible'))
const entry = ofProvider.resolve('@ai-sdk/provider-utils')
const ofUtils = createRequire(entry)
const source = readFileSync(join(dirname(entry), 'index.mjs'), 'utf8')

/** The function of the package, as `text` has it. */
function load(text: string): Parse {
  const [declaration] = /^function parseJsonEventStream\([\s\S]*?^}$/m.exec(text) ?? []
  const { safeParseJSON } = ofProvider('@ai-sdk/provider-utils')
  const { createParser } = ofUtils('eventsource-parser')
  const { EventSourceParserStream } = ofUtils('eventsource-parser/stream')
  return runInNewContext(`(${declaration})`, {
    ...{ ReadableStream, TransformStream, TextDecoder, TextDecoderStream },
    ...{ safeParseJSON, createParser, EventSourceParserStream },
  })
}

const own = load(toOneEventStream(source))
const theirs = load(source)

/** What comes of these chunks, and of an answer that breaks off behind them. */
async function outcome(parse: Parse, chunks: readonly Uint8Array[], isBroken: boolean): Promise<unknown[]> {
  const left = [...chunks]
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = left.shift()
      if (chunk) controller.enqueue(chunk)
      else if (isBroken) controller.error(new Error('broken'))
      else controller.close()
    },
  })
  const parts: unknown[] = []
  try {
    for await (const part of parse({ stream })) parts.push(part)
  } catch (error) {
    parts.push(String(error))
  }
  return parts
}

const frame = fc.oneof(
  fc.json().map(text => `data: ${text}\n\n`),
  fc.constantFrom(
    'data: [DONE]\n\n',
    ': keep-alive\n\n',
    'event: a\r\nid: 1\r\ndata: {"a":1}\r\n\r\n',
    'data: {\ndata: "b":2}\n\n',
    'data: {"é":"日本 🎉"}\n\n',
    'data: {"__proto__":1}\n\n',
    'data: no JSON\n\n',
    'data:\n\n',
    'retry: 5\n\n',
    '\ufeff',
    '\n',
    'data: {"without":"an end"}',
  ),
)

describe('a stream of events', () => {
  it('is in one stream what it is in three, however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(frame), fc.array(fc.integer({ min: 1, max: 40 })), async (frames, lengths) => {
        const bytes = new TextEncoder().encode(frames.join(''))
        const chunks: Uint8Array[] = []
        let at = 0
        for (const length of [...lengths, bytes.length]) {
          chunks.push(bytes.subarray(at, at + length))
          at += length
        }
        expect(await outcome(own, chunks, false)).toEqual(await outcome(theirs, chunks, false))
      }),
    )
  })

  it('that breaks off has the events before that, and the error', async () => {
    const chunk = new TextEncoder().encode('data: 1\n\ndata: 2\n\ndata: 3')
    const parts = await outcome(own, [chunk], true)
    expect(parts).toEqual([
      expect.objectContaining({ value: 1 }),
      expect.objectContaining({ value: 2 }),
      'Error: broken',
    ])
  })

  it('that is cancelled ends what it reads from, also while it waits for more', async () => {
    const reasons: unknown[] = []
    const endless = () => new ReadableStream<Uint8Array>({ cancel: reason => void reasons.push(reason) })
    await own({ stream: endless() }).cancel('unread')
    const reader = own({ stream: endless() }).getReader()
    const waiting = reader.read()
    await reader.cancel('waiting')
    expect([await waiting, reasons]).toEqual([{ done: true, value: undefined }, ['unread', 'waiting']])
  })
})

it('a build with packages that read events in another way fails', () => {
  expect(() => toOneEventStream('export {}')).toThrow('in another way')
})
