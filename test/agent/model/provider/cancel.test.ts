import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { openModel } from '../../../../src/agent/model/provider/index.js'
import { until } from '../../../support/processes.js'
import {
  type Answer,
  ask,
  collect,
  delta,
  failureOf,
  json,
  listen,
  makeSettings,
  openChat,
  startServer,
  toFrame,
} from './support.js'

const silent: Answer = () => {}
const begins: Answer = response => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(toFrame(delta({ content: 'x' })))
}

it.each([
  ['before the first byte', silent, 'request'],
  ['in the text', begins, 'text'],
  ['in the wait of a retry', json(429, {}, { 'retry-after': '30' }), 'notice'],
])('cancel %s ends the stream at once with its reason and closes the connection', async (_, answer, moment) => {
  const server = await startServer(answer)
  const model = await openChat(server.url)
  const stop = new AbortController()
  const stream = (async () => {
    for await (const part of model.stream(ask(), stop.signal)) {
      if (part.type === moment) setImmediate(() => stop.abort(new Error('cancelled by the user')))
    }
  })()
  if (moment === 'request') {
    await until(() => server.requests.length === 1)
    stop.abort(new Error('cancelled by the user'))
  }
  expect((await failureOf(stream)).message).toBe('cancelled by the user')
  if (moment !== 'notice') await until(() => server.open.size === 0)
  expect(server.requests).toHaveLength(1)
})

it('a signal that is aborted already makes no request', async () => {
  const server = await startServer(silent)
  const failure = await failureOf(collect(await openChat(server.url), ask(), AbortSignal.abort(new Error('gone'))))
  expect(failure.message).toBe('gone')
  expect(server.requests).toHaveLength(0)
})

it('ending the iteration early ends the request', async () => {
  const server = await startServer(begins)
  const model = await openChat(server.url)
  for await (const part of model.stream(ask(), new AbortController().signal)) {
    expect(part.type).toBe('text')
    break
  }
  await until(() => server.open.size === 0)
})

const hurried = (url: string, firstByteSeconds: number, idleSeconds: number) => {
  const providers = { local: { baseUrl: url, headers: {}, models: [], firstByteSeconds, idleSeconds } }
  return openModel({ provider: 'local', model: 'm' }, makeSettings({ config: { providers } }))
}

it('a provider that never begins is given up after the limit and asked once more', async () => {
  const server = await startServer(silent)
  const model = await hurried(server.url, 0.05, 60)
  const parts: string[] = []
  const failure = await failureOf(
    (async () => {
      for await (const part of model.stream(ask(), new AbortController().signal)) parts.push(part.type)
    })(),
  )
  expect(failure).toMatchObject({ code: 'MODEL_TIMEOUT' })
  expect(failure.message).toMatch(/providers\.local\.firstByteSeconds/)
  // On a busy machine a request can be given up before the server has seen it: the word on the second one tells of it.
  expect(parts).toEqual(['notice'])
})

it('a provider that falls silent in mid-answer is given up', async () => {
  const server = await startServer(begins)
  const seen: string[] = []
  const failure = await failureOf(
    (async () => {
      for await (const part of (await hurried(server.url, 60, 0.05)).stream(ask(), new AbortController().signal)) {
        seen.push(part.type)
      }
    })(),
  )
  expect(failure).toMatchObject({ code: 'MODEL_TIMEOUT' })
  expect(failure.message).toMatch(/providers\.local\.idleSeconds/)
  expect(seen.at(-1)).toBe('text')
})

it('a server that is not there is named, with what to do', async () => {
  const server = createServer()
  await listen(server)
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  const failure = await failureOf(collect(await openChat(`http://127.0.0.1:${port}`)))
  expect(failure).toMatchObject({ code: 'MODEL_UNREACHABLE' })
  expect(failure.message).toContain(`Nothing answers at 127.0.0.1:${port}`)
})
