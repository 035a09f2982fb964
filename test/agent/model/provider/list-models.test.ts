import { expect, it } from 'vitest'
import { listModels, proveKey } from '../../../../src/agent/model/provider/index.js'
import { failureOf, json, makeSettings, says, startServer } from './support.js'

const list = json(200, {
  object: 'list',
  data: [{ id: 'a', context_length: 8192, name: 'Model A' }, { id: 'b', max_model_len: 4096 }, { id: '' }, 7],
})

it('models of the config come first, then those that the endpoint lists; a list is asked for once', async () => {
  const server = await startServer(list)
  const providers = { local: { baseUrl: `${server.url}/v1`, headers: {}, models: [{ id: 'b', contextSize: 1000 }] } }
  const settings = makeSettings({ config: { providers, models: [{ id: 'local/mine' }, { id: 'openai/x' }] } })
  const expected = [{ id: 'mine' }, { id: 'b', contextSize: 1000 }, { id: 'a', name: 'Model A', contextSize: 8192 }]
  expect(await listModels('local', settings)).toEqual(expected)
  expect(await listModels('local', settings)).toEqual(expected)
  expect(server.requests.map(({ url }) => url)).toEqual(['/v1/models'])
})

it('without a list there are the models of the config, and a failure is not repeated at once', async () => {
  const server = await startServer(json(404, {}))
  const providers = { local: { baseUrl: server.url, headers: {}, models: [{ id: 'b' }] } }
  const settings = makeSettings({ config: { providers } })
  expect(await listModels('local', settings)).toEqual([{ id: 'b' }])
  expect(await listModels('local', settings)).toEqual([{ id: 'b' }])
  expect(server.requests).toHaveLength(1)
})

it('a provider without a key offers what Deckhand knows, without a request; an unknown one nothing', async () => {
  const listed = await listModels('anthropic', makeSettings())
  expect(listed.map(({ id }) => id)).toContain('claude-sonnet-5-5')
  expect(await listModels('nobody', makeSettings())).toEqual([])
})

it("a key of Anthropic's is proved by its list of models", async () => {
  const server = await startServer(json(200, { data: [{ id: 'claude-x', display_name: 'X' }] }))
  const settings = makeSettings({ env: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'of-the-environment' } })
  expect(await proveKey('anthropic', 'sk-new', settings)).toEqual({ models: 1 })
  expect(server.requests[0]).toMatchObject({ method: 'GET', url: '/v1/models?limit=1000' })
  expect(server.requests[0]?.headers).toMatchObject({ 'x-api-key': 'sk-new', 'anthropic-version': '2023-06-01' })
})

it('a key for a named model is proved by a word of it, since some show their list to everybody', async () => {
  const server = await startServer(says('ok'), json(401, { error: { message: 'bad key' } }))
  const providers = { router: { baseUrl: server.url, headers: {}, models: [{ id: 'org/m' }] } }
  const settings = makeSettings({ config: { providers } })
  expect(await proveKey('router', 'sk-new', settings)).toEqual({})
  expect(server.requests[0]).toMatchObject({ url: '/chat/completions', body: { model: 'org/m', max_tokens: 16 } })
  expect(await failureOf(proveKey('router', 'sk-bad', settings))).toMatchObject({ code: 'MODEL_AUTH' })
})

it('a key that the list rejects is no key', async () => {
  const server = await startServer(
    json(401, { error: { message: 'Authentication Fails', type: 'authentication_error' } }),
  )
  const providers = { deepseek: { baseUrl: server.url, headers: {}, models: [] } }
  const failure = await failureOf(proveKey('deepseek', 'sk-bad-123456', makeSettings({ config: { providers } })))
  expect(failure).toMatchObject({ code: 'MODEL_AUTH' })
  expect(failure.message).not.toContain('sk-bad')
})
