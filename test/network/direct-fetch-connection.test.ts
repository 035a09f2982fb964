import { getEventListeners } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createFetch } from '../../src/network/index.js'
import { answerOf, serveRaw } from './raw-server.js'
import { makeCertificates, startSecureServer } from './support.js'

const fetch = createFetch({ env: {} })
const repeating = createFetch({ env: {}, isRepeatable: true })

/** A server whose connections answer once, and do as `second` says with the request after. `count()` of all requests. */
async function serveOnce(second: (socket: Socket) => void): Promise<{ url: string; count: () => number }> {
  let requests = 0
  const seen = new WeakSet<Socket>()
  const url = await serveRaw(socket => {
    requests += 1
    if (seen.has(socket)) return second(socket)
    seen.add(socket)
    socket.write(answerOf('ok'))
  })
  return { url, count: () => requests }
}

describe('a connection that ends under a second request', () => {
  const post = { method: 'POST', body: '{}' }

  it('has a GET sent again, and a POST only where it may come twice', async () => {
    const { url, count } = await serveOnce(socket => socket.destroy())
    await (await fetch(url)).text()
    expect(await (await fetch(url)).text()).toBe('ok')
    expect(count()).toBe(3)
    for (const [send, outcome, requests] of [
      [fetch, 'TypeError: fetch failed', 5],
      [repeating, 'ok', 8],
    ] as const) {
      await (await send(url)).text()
      expect(await send(url, post).then(answer => answer.text(), String)).toBe(outcome)
      expect(count()).toBe(requests)
    }
  })

  it('has nothing sent again once the server has begun to answer', async () => {
    const begun = `${answerOf('okokok').slice(0, -4)}`
    const ends: [string, (socket: Socket) => void][] = [
      ['fetch failed', socket => socket.end('HTTP/1.1 20')],
      ['terminated', socket => socket.end(begun)],
      ['terminated', socket => socket.write(begun, () => setImmediate(() => socket.resetAndDestroy()))],
    ]
    for (const [message, end] of ends) {
      const { url, count } = await serveOnce(end)
      await (await repeating(url)).text()
      await expect(repeating(url, post).then(answer => answer.text())).rejects.toMatchObject({ message })
      await (await repeating(url)).text()
      expect(count()).toBe(3)
    }
  })
})

describe('a request that is over', () => {
  it('leaves no listener at its signal, and a hundred at once are no warning', async () => {
    const url = await serveRaw((socket, request) => {
      if (request.startsWith('GET /none')) socket.write('HTTP/1.1 204 No Content\r\n\r\n')
      else if (request.startsWith('GET /there')) socket.write(answerOf('', 'HTTP/1.1 302 Found\r\nlocation: /none'))
      else if (request.startsWith('GET /endless')) socket.write('HTTP/1.1 200 OK\r\n\r\nand so on')
      else if (request.startsWith('GET /upgrade')) {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')
      } else socket.write(answerOf('ok'))
    })
    const { signal } = new AbortController()
    const texts = Array.from({ length: 100 }, async () => (await fetch(url, { signal })).text())
    expect(new Set(await Promise.all(texts))).toEqual(new Set(['ok']))
    await fetch(`${url}none`, { signal })
    await fetch(`${url}there`, { signal })
    await fetch(`${url}upgrade`, { signal }).catch(() => {})
    await fetch('http://127.0.0.1:1/', { signal }).catch(() => {})
    await (await fetch(`${url}endless`, { signal })).body?.cancel()
    await expect.poll(() => getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('leaves no connection when its body is cancelled or its signal aborted, also through a decoder', async () => {
    const closed: Promise<void>[] = []
    const url = await serveRaw(socket => {
      closed.push(new Promise(resolve => socket.once('close', () => resolve())))
      socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip, gzip\r\n\r\n')
    })
    await (await fetch(url)).body?.cancel()
    const stop = new AbortController()
    const text = (await fetch(url, { signal: stop.signal })).text()
    stop.abort(new Error('enough'))
    await expect(text).rejects.toThrow('enough')
    await Promise.all(closed)
    expect(closed).toHaveLength(2)
  })
})

describe('TLS', () => {
  it('ends with the signal, aborted at once or in the handshake', async () => {
    let hasBegun = () => {}
    const handshake = new Promise<void>(resolve => {
      hasBegun = resolve
    })
    const url = (await serveRaw(() => hasBegun())).replace('http:', 'https:')
    const early = new AbortController()
    const first = fetch(url, { signal: early.signal })
    early.abort(new Error('early'))
    await expect(first).rejects.toThrow('early')
    const late = new AbortController()
    const second = fetch(url, { signal: late.signal })
    await handshake
    late.abort(new Error('late'))
    await expect(second).rejects.toThrow('late')
  })

  it('with an authority that is not trusted fails with the code that says so', async () => {
    const port = await startSecureServer(await makeCertificates())
    const code = 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'
    await expect(fetch(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({
      message: 'fetch failed',
      cause: { code },
    })
  })
})
