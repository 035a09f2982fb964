import { describe, expect, it } from 'vitest'
import { createFetch } from '../../src/network/index.js'
import { answerOf, serveRaw } from './raw-server.js'

const fetch = createFetch({ env: {} })

describe.each([
  ['over Node’s HTTP client', 'text'],
  ['by the platform’s fetch', new URLSearchParams({ a: 'form' })],
])('an answer %s', (_, body) => {
  it('tells of each piece of its body as it arrives', async () => {
    const url = await serveRaw(socket => void socket.write(answerOf('hello')))
    const pieces: number[] = []
    const answer = await fetch(url, { method: 'POST', body, onBytes: bytes => pieces.push(bytes) })
    expect([answer.url, await answer.text(), pieces]).toEqual([url, 'hello', [5]])
  })

  it('ends, with its connection, with what the listener throws', async () => {
    let isClosed = () => {}
    const closed = new Promise<void>(resolve => {
      isClosed = resolve
    })
    const url = await serveRaw(socket => {
      socket.once('close', () => isClosed())
      socket.write('HTTP/1.1 200 OK\r\n\r\nand so on')
    })
    const onBytes = () => {
      throw new Error('enough')
    }
    await expect(fetch(url, { method: 'POST', body, onBytes }).then(answer => answer.text())).rejects.toThrow('enough')
    await closed
  })
})
