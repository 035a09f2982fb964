import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFetch } from '../../src/network/index.js'
import { makeCertificates, startProxy, startRedirecting } from './support.js'

const own = createFetch({ env: {} })

interface Seen {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}

/** `/307` leads to `/there`, `/307?http://…` to that address; all else is answered. */
async function startServer(): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method, url = '', headers } = request
    seen.push({ method, url, headers, body })
    const [, status, location = '/there#part'] = /^\/(3\d\d)(?:\?(.*))?$/.exec(url) ?? []
    if (status === undefined) response.end('there')
    else response.writeHead(Number(status), { location }).end('moved')
  })
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

const KEYS = { authorization: 'Bearer k', 'x-api-key': 'k', cookie: 'k', 'x-own': 'k' }

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308].flatMap(status => ['GET', 'POST', 'PUT', 'HEAD'].map(method => [status, method])))(
    'of status %s is followed by a %s as the platform does it',
    async (status, method) => {
      const { url, seen } = await startServer()
      const outcomes: unknown[] = []
      for (const fetch of [own, globalThis.fetch]) {
        const hasBody = method === 'POST' || method === 'PUT'
        const init = { method: String(method), headers: KEYS, ...(hasBody ? { body: 'a' } : {}) }
        const response = await fetch(`${url}/${status}`, init)
        const { headers, ...last } = seen.at(-1) as Seen
        const { authorization, 'x-own': more, 'content-type': type, 'content-length': length } = headers
        const words = [response.status, response.redirected, response.url, await response.text()]
        outcomes.push([words, last, authorization, more, type, length])
      }
      expect(outcomes[0]).toEqual(outcomes[1])
      expect(seen).toHaveLength(4)
    },
  )

  it('takes no header with a key to another origin, and its text only where the status says so', async () => {
    const [from, to] = [await startServer(), await startServer()]
    for (const status of [302, 307]) {
      const init = { method: 'POST', headers: { ...KEYS, accept: 'text/plain' }, body: 'a' }
      expect(await (await own(`${from.url}/${status}?${to.url}/`, init)).text()).toBe('there')
    }
    expect(to.seen.map(({ method, body }) => [method, body])).toEqual([
      ['GET', ''],
      ['POST', 'a'],
    ])
    for (const { headers } of to.seen) {
      expect(headers.accept).toBe('text/plain')
      expect(Object.keys(headers).filter(name => name in KEYS)).toEqual([])
    }
  })

  it('takes no key along through a proxy either', async () => {
    const { caFile, ...tls } = await makeCertificates()
    const target = await startServer()
    const port = await startRedirecting(tls, `${target.url}/there`)
    const proxy = await startProxy(port)
    const fetch = createFetch({ env: { HTTPS_PROXY: proxy.url }, caFile })
    expect(await (await fetch('https://models.deckhand.test/', { headers: KEYS })).text()).toBe('there')
    expect(Object.keys(target.seen[0]?.headers ?? {}).filter(name => name in KEYS)).toEqual([])
  })

  it('is an answer like another for who wants to see it, and an error for who does not want it', async () => {
    const { url, seen } = await startServer()
    const response = await own(`${url}/302`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location'), await response.text()]).toEqual([
      302,
      '/there#part',
      'moved',
    ])
    await expect(own(`${url}/302`, { redirect: 'error', method: 'POST', body: 'a' })).rejects.toThrow('fetch failed')
    expect(seen).toHaveLength(2)
  })

  it('is followed twenty times at most', async () => {
    const { url, seen } = await startServer()
    await expect(own(`${url}/302?/302`)).resolves.toMatchObject({ status: 200 })
    seen.length = 0
    const loop = `${url}/307?http:`
    await expect(own(loop)).rejects.toThrow('fetch failed')
    expect(seen).toHaveLength(21)
  })
})
