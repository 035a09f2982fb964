import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { cleanEnvironment, credentialsPlace } from '../cli/clean-environment.js'
import { HOST, makeCertificates, startProxy, startSecureServer } from '../network/support.js'
import { deckhand } from './support.js'

it('the built program goes through a proxy to a host with a private authority', async () => {
  const { caFile, ...tls } = await makeCertificates()
  const proxy = await startProxy(await startSecureServer(tls))
  const env = cleanEnvironment({ HTTPS_PROXY: proxy.url })
  const directory = dirname(credentialsPlace(env))
  mkdirSync(directory, { recursive: true })
  const provider = `{baseUrl: "https://${HOST}/v1", models: [m]}`
  writeFileSync(join(directory, 'config.yml'), `caFile: ${JSON.stringify(caFile)}\nproviders: {own: ${provider}}\n`)
  const login = await deckhand(['login', 'own'], { env, input: 'sk-own-1\n' })
  // The server answers with a sentence, which no model does: it was reached all the same.
  expect(login.stderr).toMatch(/^The answer of own broke off/)
  expect(login.code).toBe(1)
  expect(proxy.asked.map(({ target }) => target)).toEqual([`${HOST}:443`])
})
