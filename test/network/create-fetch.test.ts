import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openModel } from '../../src/agent/model/provider/index.js'
import { createFetch } from '../../src/network/index.js'
import { ask, collect, failureOf, makeSettings } from '../agent/model/provider/support.js'
import { HOST, makeCertificates, startProxy, startSecureServer } from './support.js'

it('https through a CONNECT proxy to a host with a private authority works with caFile', async () => {
  const { caFile, ...tls } = await makeCertificates()
  const proxy = await startProxy(await startSecureServer(tls))
  const env = { HTTPS_PROXY: proxy.url.replace('//', '//user:p%40ss@') }
  const fetch = createFetch({ env, caFile })
  const response = await fetch(`https://${HOST}/v1/chat`, { method: 'POST', body: 'hi' })
  expect(await response.text()).toBe('POST /v1/chat hi')
  expect(await (await fetch(new Request(`https://${HOST}/x`, { method: 'PUT', body: 'yes' }))).text()).toBe(
    'PUT /x yes',
  )
  const credentials = `Basic ${Buffer.from('user:p@ss').toString('base64')}`
  expect(proxy.asked[0]).toEqual({ target: `${HOST}:443`, credentials })
})

it('without caFile a private authority is refused, and the failure of a model says what to do', async () => {
  const tls = await makeCertificates()
  const proxy = await startProxy(await startSecureServer(tls))
  const providers = { own: { baseUrl: `https://${HOST}/v1`, headers: {}, models: [] } }
  const settings = makeSettings({ env: { HTTPS_PROXY: proxy.url }, config: { providers } })
  const failure = await failureOf(
    openModel({ provider: 'own', model: 'm' }, settings).then(model => collect(model, ask())),
  )
  expect(failure).toMatchObject({ code: 'MODEL_UNREACHABLE' })
  expect(failure.message).toMatch(/certificate of models\.deckhand\.test is not trusted.*caFile/)
  expect(proxy.asked).toHaveLength(1)
})

it('caFile works without a proxy, and the platform’s own authorities still count', async () => {
  const { caFile, ...tls } = await makeCertificates()
  const port = await startSecureServer(tls)
  const fetch = createFetch({ env: {}, caFile })
  expect(await (await fetch(`https://127.0.0.1:${port}/y`)).text()).toBe('GET /y ')
  await expect(createFetch({ env: {} })(`https://127.0.0.1:${port}/`)).rejects.toThrow()
})

it('NODE_EXTRA_CA_CERTS goes on to count beside caFile', async () => {
  const first = await makeCertificates()
  const second = await makeCertificates()
  const port = await startSecureServer(first)
  const fetch = createFetch({ env: { NODE_EXTRA_CA_CERTS: first.caFile }, caFile: second.caFile })
  expect((await fetch(`https://127.0.0.1:${port}/`)).status).toBe(200)
})

it.each([407, 502])('a proxy that answers %i is named as such', async status => {
  const proxy = await startProxy(1, status)
  const providers = { own: { baseUrl: `https://${HOST}/v1`, headers: {}, models: [] } }
  const settings = makeSettings({ env: { HTTPS_PROXY: proxy.url }, config: { providers } })
  const failure = await failureOf(
    openModel({ provider: 'own', model: 'm' }, settings).then(model => collect(model, ask())),
  )
  expect(failure).toMatchObject({ code: 'MODEL_UNREACHABLE' })
  expect(failure.message).toMatch(new RegExp(`proxy did not connect.*${status}.*HTTPS_PROXY`))
})

it('a request through a proxy ends with its signal', async () => {
  const tls = await makeCertificates()
  const proxy = await startProxy(await startSecureServer(tls))
  const fetch = createFetch({ env: { HTTPS_PROXY: proxy.url }, caFile: tls.caFile })
  await expect(fetch(`https://${HOST}/`, { signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop')
})

it.each([
  ['missing.pem', undefined],
  ['empty.pem', ''],
  ['broken.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
])('a caFile that cannot be used is an error that names it, until it is mended: %s', async (name, content) => {
  const { caFile, directory, ...tls } = await makeCertificates()
  const path = join(directory, name)
  if (content !== undefined) writeFileSync(path, content)
  const port = await startSecureServer(tls)
  const fetch = createFetch({ env: {}, caFile: path })
  await expect(fetch(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({
    code: 'CA_FILE_FAILED',
    message: expect.stringContaining(path),
  })
  copyFileSync(caFile, path)
  expect((await fetch(`https://127.0.0.1:${port}/`)).status).toBe(200)
})
