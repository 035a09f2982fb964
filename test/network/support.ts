import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

/** The name that the server's certificate is for. No name server knows it: only a proxy leads there. */
export const HOST = 'models.deckhand.test'

const openssl = promisify(execFile)

/** A private authority and a certificate by it, as files of this test. */
export async function makeCertificates(): Promise<{ caFile: string; key: string; cert: string; directory: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'deckhand-ca-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const file = (name: string) => join(directory, name)
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const run = (...args: string[]) => openssl('openssl', args)
  await run(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.pem'),
    '-subj',
    '/CN=Test CA',
    '-days',
    '2',
  )
  await run('req', ...newKey, '-keyout', file('host.key'), '-out', file('host.csr'), '-subj', `/CN=${HOST}`)
  writeFileSync(file('host.ext'), `subjectAltName=DNS:${HOST},IP:127.0.0.1\n`)
  const signed = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial', '-extfile', file('host.ext')]
  await run('x509', '-req', '-in', file('host.csr'), '-out', file('host.pem'), '-days', '2', ...signed)
  const read = (name: string) => readFileSync(file(name), 'utf8')
  return { caFile: file('ca.pem'), key: read('host.key'), cert: read('host.pem'), directory }
}

/** An https server that answers with the path and body of the request. */
export async function startSecureServer(tls: { key: string; cert: string }): Promise<number> {
  const server = createSecureServer(tls, async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.end(`${request.method} ${request.url} ${body}`)
  })
  return listen(server)
}

/** An https server that sends every request on to `location`. */
export async function startRedirecting(tls: { key: string; cert: string }, location: string): Promise<number> {
  return listen(createSecureServer(tls, (_, response) => response.writeHead(302, { location }).end()))
}

interface Proxy {
  url: string
  port: number
  /** `host:port` of each connection asked for, with its credentials. */
  asked: { target: string; credentials: string | undefined }[]
}

/** A proxy that leads every CONNECT to one port of this machine, or refuses it with `status`. */
export async function startProxy(port: number, status = 200): Promise<Proxy> {
  const asked: Proxy['asked'] = []
  const server = createServer((_, response) => response.writeHead(501).end())
  const sockets = new Set<Socket>()
  server.on('connect', (request, socket: Socket) => {
    asked.push({ target: request.url ?? '', credentials: request.headers['proxy-authorization'] })
    sockets.add(socket)
    socket.on('error', () => {})
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`)
      return
    }
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    sockets.add(upstream)
    upstream.on('error', () => socket.destroy())
  })
  const own = await listen(server)
  // Before the server is closed, which would wait for them: the last of these hooks is the first to run.
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  return { url: `http://127.0.0.1:${own}`, port: own, asked }
}

async function listen(server: Server): Promise<number> {
  onTestFinished(async () => {
    ;(server as HttpServer).closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
  return (server.address() as AddressInfo).port
}
