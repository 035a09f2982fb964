import { expect, it } from 'vitest'
import {
  chooseModel,
  openModel,
  parseModelChoice,
  resolveProvider,
} from '../../../../src/agent/model/provider/index.js'
import { failureOf, makeSettings } from './support.js'

const ollama = { ollama: { baseUrl: 'http://127.0.0.1:11434/v1', headers: {}, models: [{ id: 'qwen3:8b' }] } }

it('an explicit choice counts before the environment, the environment before the config, the config before a key', async () => {
  const env = { DECKHAND_MODEL: 'deepseek/deepseek-v4-pro', OPENAI_API_KEY: 'k' }
  const config = { model: 'anthropic/claude-opus-5-5' }
  expect(await chooseModel(makeSettings({ env, config }), 'openai/gpt-x')).toEqual({
    choice: { provider: 'openai', model: 'gpt-x' },
    source: 'explicit',
  })
  expect(await chooseModel(makeSettings({ env, config }))).toEqual({
    choice: { provider: 'deepseek', model: 'deepseek-v4-pro' },
    source: 'environment',
  })
  const { DECKHAND_MODEL: _, ...keys } = env
  expect(await chooseModel(makeSettings({ env: keys, config }))).toMatchObject({ source: 'config' })
  expect(await chooseModel(makeSettings({ env: keys }))).toEqual({
    choice: { provider: 'openai', model: 'gpt-6.1-terra' },
    source: 'key',
  })
})

it('an OpenAI address, key and model in the environment are a whole choice', async () => {
  const env = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: 'fake', OPENAI_MODEL: 'fake-model' }
  expect(await chooseModel(makeSettings({ env }))).toEqual({
    choice: { provider: 'openai', model: 'fake-model' },
    source: 'key',
  })
})

it('a key of the credentials counts like one of the environment, which counts first', async () => {
  const settings = makeSettings({ credentials: { anthropic: 'from-file' } })
  expect(await chooseModel(settings)).toMatchObject({ choice: { provider: 'anthropic', model: 'claude-sonnet-5-5' } })
  const both = makeSettings({ env: { ANTHROPIC_API_KEY: 'from-env' } })
  expect(resolveProvider('anthropic', both, { anthropic: 'from-file' })).toMatchObject({
    key: 'from-env',
    keySource: 'environment',
  })
  expect(resolveProvider('anthropic', settings, { anthropic: 'from-file' })).toMatchObject({ keySource: 'file' })
})

it.each([
  [{}, /No model is configured.*deckhand login.*DEEPSEEK_API_KEY/],
  [
    { ANTHROPIC_API_KEY: 'a', DEEPSEEK_API_KEY: 'b' },
    /several providers \(anthropic, deepseek\).*DECKHAND_MODEL=anthropic\//,
  ],
  [
    { OPENAI_API_KEY: 'a', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' },
    /key for openai but no model.*DECKHAND_MODEL=openai\/MODEL/,
  ],
])('no choice comes with advice: %j', async (env, advice) => {
  const chosen = await chooseModel(makeSettings({ env: env as Record<string, string> }))
  expect(chosen).toEqual({ choice: undefined, advice: expect.stringMatching(advice) })
})

it('a provider that needs no key is chosen by its first model, unless there is a key for another', async () => {
  expect(await chooseModel(makeSettings({ config: { providers: ollama } }))).toMatchObject({
    choice: { provider: 'ollama', model: 'qwen3:8b' },
  })
  const env = { DEEPSEEK_API_KEY: 'k' }
  expect(await chooseModel(makeSettings({ env, config: { providers: ollama } }))).toMatchObject({
    choice: { provider: 'deepseek' },
  })
})

it('a choice that is none names its origin and the providers there are', async () => {
  const settings = makeSettings({ env: { DECKHAND_MODEL: 'gpt-5' }, config: { providers: ollama } })
  const failure = await failureOf(chooseModel(settings))
  expect(failure).toMatchObject({ code: 'MODEL_UNKNOWN' })
  expect(failure.message).toMatch(/^DECKHAND_MODEL must have the form provider\/model: "gpt-5".*anthropic.*ollama/)
  expect(() => parseModelChoice('nobody/x', settings)).toThrow(/unknown provider "nobody"/)
  expect(parseModelChoice('ollama/org/model:7b', settings)).toEqual({ provider: 'ollama', model: 'org/model:7b' })
  expect(() => parseModelChoice('constructor/x', settings)).toThrow(/unknown provider/)
})

it('opening a model without a key says where one comes from', async () => {
  const failure = await failureOf(openModel({ provider: 'deepseek', model: 'deepseek-flash' }, makeSettings()))
  expect(failure).toMatchObject({ code: 'MODEL_NO_KEY' })
  expect(failure.message).toMatch(/deckhand login deepseek.*DEEPSEEK_API_KEY.*https:\/\/platform\.deepseek\.com/)
})

it('what is known of a model comes with it, the config before the rest; what is not known is absent', async () => {
  const env = { ANTHROPIC_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }
  const sonnet = await openModel({ provider: 'anthropic', model: 'claude-sonnet-5-5' }, makeSettings({ env }))
  expect(sonnet).toMatchObject({
    id: 'anthropic/claude-sonnet-5-5',
    contextSize: 1_000_000,
    images: true,
    price: { input: 2, output: 10 },
  })
  const models = [{ id: 'openai/local', contextSize: 32_000, images: true, thinkingLevels: ['low', 'high'] }]
  const local = await openModel({ provider: 'openai', model: 'local' }, makeSettings({ env, config: { models } }))
  expect(local).toMatchObject({ contextSize: 32_000, images: true, thinkingLevels: ['low', 'high'] })
  const other = await openModel({ provider: 'openai', model: 'gpt-6.1-terra' }, makeSettings({ env }))
  expect(other.contextSize).toBeUndefined()
  expect(other.images).toBe(false)
})
