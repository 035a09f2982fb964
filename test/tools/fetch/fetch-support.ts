import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { ToolAgent } from '../../../src/registry/index.js'
import * as fetchTool from '../../../src/tools/fetch/index.js'
import { openWorkbench, type Workbench } from '../../support/workbench.js'

export interface Web {
  /** `http://127.0.0.1:PORT`. */
  url: string
  requests: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[]
}

/** A web server of this test. */
export async function startWeb(answer: RequestListener): Promise<Web> {
  const requests: Web['requests'] = []
  const server = createServer((request, response) => {
    requests.push({ method: request.method, url: request.url, headers: request.headers })
    answer(request, response)
  })
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

/** Answers every request with this body. */
export function page(
  type: string | undefined,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): RequestListener {
  return (_, response) =>
    response
      .writeHead(200, { ...(type && { 'content-type': type }), 'content-length': Buffer.byteLength(body), ...headers })
      .end(body)
}

export interface FetchBench extends Workbench {
  /** A call that the user has typed: private addresses are open to it. */
  typed(url: string, more?: object): ReturnType<Workbench['call']>
  /** The same by a model. */
  byModel(url: string, more?: object): ReturnType<Workbench['call']>
}

/** The tool, with no proxy unless the test has one. */
export async function openFetch(config: fetchTool.FetchConfig = {}): Promise<FetchBench> {
  const { name, inject, apply } = fetchTool
  const bench = await openWorkbench({
    name,
    inject,
    apply: ctx => apply(ctx, { env: {}, version: '1.2.3', ...config }),
  })
  const user: ToolAgent = { ...bench.agent, origin: 'user' }
  return {
    ...bench,
    typed: (url, more) => bench.call('fetch', { url, ...more }, { agent: user }),
    byModel: (url, more) => bench.call('fetch', { url, ...more }),
  }
}

/** A port of this machine where nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}
