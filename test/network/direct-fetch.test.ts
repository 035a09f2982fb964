import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createFetch } from '../../src/network/index.js'

const fetch = createFetch({ env: {} })
const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

describe('a request without a proxy', () => {
  it('sends its text and headers, and gets status, headers and body', async () => {
    const url = await serve(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      response.writeHead(207, 'Some', [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['x-length', String(request.headers['content-length'])],
      ])
      response.end(`${request.method} ${request.headers.authorization} ${body}`)
    })
    const answer = await fetch(url, { method: 'POST', headers: { Authorization: 'Bearer k' }, body: 'zwölf' })
    expect([answer.status, answer.statusText, answer.ok]).toEqual([207, 'Some', true])
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(answer.headers.get('x-length')).toBe('6')
    expect(await answer.text()).toBe('POST Bearer k zwölf')
  })

  it('gets an answer without a body', async () => {
    const url = await serve((_request, response) => response.writeHead(204).end())
    expect((await fetch(url)).body).toBeNull()
  })

  it('reads what the server compressed without being asked', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('data: [DONE]\n\n')),
    )
    expect(await (await fetch(url)).text()).toBe('data: [DONE]\n\n')
  })

  it('follows a redirect, also with its text', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/') response.writeHead(307, { location: '/there' }).end()
      else request.pipe(response)
    })
    expect(await (await fetch(url, { method: 'POST', body: 'again' })).text()).toBe('again')
  })

  it('is sent again if the server had closed the idle connection, and once only', async () => {
    let requests = 0
    const url = await serve((request, response) => {
      requests += 1
      // The second comes over the connection of the first, which ends under it.
      if (requests === 2) request.socket.destroy()
      else response.end(String(requests))
    })
    expect(await (await fetch(url)).text()).toBe('1')
    expect(await (await fetch(url)).text()).toBe('3')
    const gone = await serve(request => request.socket.destroy())
    await expect(fetch(gone)).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } })
  })

  it('fails as the platform’s does if nobody listens', async () => {
    const url = await serve(() => {})
    servers[0]?.close()
    const refused = { name: 'TypeError', message: 'fetch failed', cause: { code: 'ECONNREFUSED' } }
    await expect(fetch(url)).rejects.toMatchObject(refused)
  })
})

describe('an answer that does not come to its end', () => {
  it('rejects with the reason of the signal, before its head and after it', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/begun') response.write('begun')
    })
    const reason = new Error('enough')
    await expect(fetch(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const early = new AbortController()
    const waiting = fetch(url, { signal: early.signal })
    early.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    const late = new AbortController()
    const body = (await fetch(`${url}begun`, { signal: late.signal })).text()
    late.abort(reason)
    await expect(body).rejects.toBe(reason)
  })

  it('is told from one that does: a dropped connection is an error', async () => {
    const url = await serve((request, response) => {
      response.write('half', () => request.socket.destroy())
    })
    await expect(fetch(url).then(answer => answer.text())).rejects.toMatchObject({ message: 'terminated' })
  })

  it('closes the connection when its reader has enough, and holds only a little of what nobody reads', async () => {
    let written = 0
    let isClosed: () => void
    const closed = new Promise<void>(resolve => {
      isClosed = resolve
    })
    const url = await serve((_request, response) => {
      response.once('close', () => isClosed())
      const more = () => {
        while (written < 256 * 2 ** 20 && response.write(Buffer.alloc(2 ** 20))) written += 2 ** 20
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    const { body } = await fetch(url)
    const reader = body!.getReader()
    await reader.read()
    await reader.cancel()
    await closed
    expect(written).toBeLessThan(64 * 2 ** 20)
  })
})
