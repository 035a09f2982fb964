import { expect, test } from 'vitest'
import { MessageReader } from '../../../src/mcp/client/message-reader.js'

async function read(...chunks: (string | Uint8Array)[]) {
  const messages: unknown[] = []
  const noise: string[] = []
  let tooLong = 0
  const reader = new MessageReader({
    onMessage: message => void messages.push(message),
    onNoise: line => void noise.push(line),
    onTooLong: () => {
      tooLong += 1
    },
  })
  for (const chunk of chunks) await reader.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  return { messages, noise, tooLong }
}

const message = (id: number) => ({ jsonrpc: '2.0', id, result: { text: 'ä' } })

test('messages are found wherever their bytes are cut', async () => {
  const bytes = Buffer.from(`${JSON.stringify(message(1))}\r\n${JSON.stringify(message(2))}\n`)
  for (let at = 0; at <= bytes.length; at++) {
    const { messages } = await read(bytes.subarray(0, at), bytes.subarray(at))
    expect(messages).toEqual([message(1), message(2)])
  }
})

test('a batch is its messages', async () => {
  const { messages } = await read(`${JSON.stringify([message(1), message(2)])}\n`)
  expect(messages).toEqual([message(1), message(2)])
})

test('what is no message is noise, and the messages around it count', async () => {
  const lines = ['Listening on 3000', '{"level":"info"}', '{broken', '[1]', '7', '']
  const { messages, noise } = await read(`${[...lines, JSON.stringify(message(1)), 'bye'].join('\n')}\n`)
  expect(messages).toEqual([message(1)])
  expect(noise).toEqual([...lines.slice(0, -1), 'bye'])
})

test('a line without an end is cut off once, and nothing is kept of it', async () => {
  const chunk = 'x'.repeat(8 * 1024 * 1024)
  const { messages, noise, tooLong } = await read(
    chunk,
    chunk,
    chunk,
    chunk,
    chunk,
    chunk,
    `\n${JSON.stringify(message(1))}\n`,
  )
  expect([messages, noise, tooLong]).toEqual([[], [], 1])
})

test('other work gets its turn between messages that come in one chunk, as lines or as a batch, and none is lost', async () => {
  const many = Array.from({ length: 1000 }, (_, id) => message(id))
  for (const text of [many.map(item => JSON.stringify(item)).join('\n'), JSON.stringify(many)]) {
    const messages: unknown[] = []
    const reader = new MessageReader({ onMessage: item => void messages.push(item), onNoise() {}, onTooLong() {} })
    const work = reader.push(Buffer.from(`${text}\n`))
    expect(messages.length).toBeLessThan(100)
    await work
    expect(messages).toEqual(many)
  }
})
