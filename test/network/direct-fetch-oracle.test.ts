import type { Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFetch, type Fetch } from '../../src/network/index.js'
import { answerOf, serveRaw } from './raw-server.js'

const own = createFetch({ env: {} })
const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}transfer-encoding: chunked\r\n`

/** What a caller can see of an answer: the words of errors and not their causes, whose codes differ. */
async function outcome(fetch: Fetch, url: string, init?: RequestInit): Promise<unknown> {
  try {
    const response = await fetch(url, init)
    const { status, statusText, headers, body, redirected, ok } = response
    const text = await response.text().catch(error => `${error.name}: ${error.message}`)
    return {
      status,
      statusText,
      headers: [...headers],
      isEmpty: body === null,
      redirected,
      ok,
      url: response.url,
      text,
    }
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`
  }
}

async function bothOutcomes(url: string, init?: RequestInit): Promise<unknown[]> {
  return [await outcome(own, url, init), await outcome(globalThis.fetch, url, init)]
}

/** Each part is one write; undefined closes the connection. */
type Part = string | Buffer | undefined

async function sendParts(socket: Socket, parts: readonly Part[]): Promise<void> {
  for (const part of parts) {
    if (part === undefined) socket.end()
    else await new Promise<void>(resolve => socket.write(part, () => setImmediate(resolve)))
  }
}

const ANSWERS: [string, Part[]][] = [
  ['early hints', ['HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n'.repeat(3), answerOf('ok')]],
  ['a change of protocol', ['HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n']],
  ['trailers', [`${CHUNKED}trailer: x\r\n\r\n2\r\nok\r\n0\r\nx: y\r\n\r\n`]],
  ['garbage in place of a chunk, with the head', [`${CHUNKED}\r\nzzzz`]],
  ['garbage in place of a chunk, after one', [`${CHUNKED}\r\n2\r\nok\r\n`, 'ZZ!!\r\n']],
  ['garbage in place of a chunk of gzip', [`${CHUNKED}content-encoding: gzip\r\n\r\nzzzz`]],
  ['no HTTP', ['hello\r\n\r\n']],
  ['HTTP/2', [Buffer.from('000006040000000000000500004000', 'hex')]],
  ['a head that is too large', [`${OK}x: ${'a'.repeat(20_000)}\r\n\r\n`]],
  ['an end in the head', [`${OK}x: `, undefined]],
  ['an end before the head', [undefined]],
  ['an end before the length', [`${OK}content-length: 10\r\n\r\nok`, undefined]],
  ['a body up to the end', ['HTTP/1.0 200 OK\r\n\r\nok', undefined]],
  ['more than its length', [`${answerOf('ok')}more`]],
  ['no words beside the status', [answerOf('ok', 'HTTP/1.1 200')]],
  ['two lengths', [`${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nok`]],
  ['a body that a 205 may not have', [answerOf('ok', 'HTTP/1.1 205 Reset')]],
  ['304 with a length', ['HTTP/1.1 304 Not Modified\r\ncontent-length: 20\r\n\r\n']],
  ['a redirect to nowhere', [answerOf('ok', 'HTTP/1.1 302 Found')]],
  ['a redirect to a file', [answerOf('', 'HTTP/1.1 302 Found\r\nlocation: file:///etc/hosts')]],
  ['a redirect to no address', [answerOf('', 'HTTP/1.1 302 Found\r\nlocation: http://[')]],
  ['gzip cut off', [`${OK}content-encoding: gzip\r\n\r\n`, gzipSync('hello world').subarray(0, 15), undefined]],
  ['gzip that is none', [answerOf('hello', `${OK}content-encoding: gzip`)]],
  ['gzip of nothing', [answerOf('', `${OK}content-encoding: gzip`)]],
  ['gzip twice', [`${OK}content-encoding: gzip, x-gzip\r\n\r\n`, gzipSync(gzipSync('ok')), undefined]],
  ['an unknown encoding', [answerOf('ok', `${OK}content-encoding: sdch`)]],
  ['an encoding without a name', [answerOf('ok', `${OK}content-encoding: `)]],
  ['a refused key', [answerOf('{"error":', 'HTTP/1.1 401 Unauthorized\r\nwww-authenticate: Basic')]],
]

describe('an answer is what the platform’s fetch makes of it', () => {
  it.each(ANSWERS)('%s', async (_, parts) => {
    const url = await serveRaw(socket => void sendParts(socket, parts))
    const [ours, platforms] = await bothOutcomes(url)
    expect(ours).toEqual(platforms)
  })

  it('with any text, encoding, framing and cut', async () => {
    let parts: Part[] = []
    const url = await serveRaw(socket => void sendParts(socket, parts))
    const encodings = { none: Buffer.from, gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
    const answer = fc.record({
      text: fc.string({ unit: 'grapheme', maxLength: 300 }),
      encoding: fc.constantFrom(...(Object.keys(encodings) as (keyof typeof encodings)[])),
      framing: fc.constantFrom('length', 'chunks', 'close'),
      cuts: fc.array(fc.integer({ min: 1, max: 500 }), { maxLength: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(answer, async ({ text, encoding, framing, cuts }) => {
        const body = encodings[encoding](Buffer.from(text))
        const head =
          framing === 'length'
            ? `content-length: ${body.length}`
            : framing === 'chunks'
              ? 'transfer-encoding: chunked'
              : 'x: y'
        const framed = framing === 'chunks' ? toChunks(body) : body
        const whole = Buffer.concat([Buffer.from(`${OK}content-encoding: ${encoding}\r\n${head}\r\n\r\n`), framed])
        const edges = [0, ...[...cuts].sort((a, b) => a - b), whole.length]
        parts = edges.slice(1).map((end, at) => whole.subarray(edges[at], end))
        if (framing === 'close') parts.push(undefined)
        const [ours, platforms] = await bothOutcomes(url)
        expect(ours).toEqual(platforms)
        expect(ours).toMatchObject({ text })
      }),
      { numRuns: 40 },
    )
  })

  function toChunks(body: Buffer): Buffer {
    const chunks = body.length === 0 ? [] : [`${body.length.toString(16)}\r\n`, body, '\r\n']
    return Buffer.concat([...chunks, '0\r\n\r\n'].map(part => Buffer.from(part)))
  }
})

describe('a request is what the platform’s fetch makes of it', () => {
  const INITS: [string, RequestInit][] = [
    ['an object of headers with undefined', { headers: { a: undefined as never, b: ' padded ' } }],
    [
      'pairs of headers',
      {
        method: 'put',
        headers: [
          ['a', '1'],
          ['a', '2'],
        ],
        body: 'é',
      },
    ],
    ['Headers', { method: 'POST', headers: new Headers({ 'Content-Type': 'application/json' }), body: '{}' }],
    ['no body where one could be', { method: 'POST' }],
    ['an empty body', { method: 'POST', body: '' }],
    ['a form', { method: 'POST', body: new URLSearchParams({ a: 'b c' }) }],
    ['a body where none can be', { body: 'a' }],
    ['a header of two lines', { headers: { a: 'b\r\nc: d' } }],
    ['a method that is none', { method: 'A B' }],
  ]
  /** Of a browser, or the connection's affair. */
  const ADDED = /^(?:accept-language|sec-fetch-mode|accept-encoding|connection|host)$/

  it.each(INITS)('%s', async (_, init) => {
    let received = ''
    const url = await serveRaw((socket, request) => {
      received += request
      socket.end(answerOf('ok'))
    })
    const seen: unknown[] = []
    for (const fetch of [own, globalThis.fetch]) {
      received = ''
      const result = await outcome(fetch, url, init)
      seen.push([typeof result === 'string' ? result.split(':')[0] : result, toRequest(received)])
    }
    expect(seen[0]).toEqual(seen[1])
  })

  function toRequest(received: string): unknown {
    const [head = '', body] = received.split('\r\n\r\n')
    const [line, ...fields] = head.split('\r\n')
    const headers = fields.map(field => field.split(': ')).map(([name = '', value]) => [name.toLowerCase(), value])
    return { line, body, headers: headers.filter(([name = '']) => !ADDED.test(name)).sort() }
  }
})
