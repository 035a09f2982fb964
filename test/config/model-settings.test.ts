import { expect, it } from 'vitest'
import { readConfigText } from '../../src/config/read-config-text.js'

it('models and providers are read, a model as a name or with what is known of it', () => {
  const { config, problems } = readConfigText(`
model: ollama/qwen3:8b
models: [deepseek/deepseek-flash, {id: openai/x, contextSize: 1000, price: {input: 1, output: 2}}]
caFile: /etc/ca.pem
providers:
  ollama:
    baseUrl: http://127.0.0.1:11434/v1
    models: ["qwen3:8b"]
    firstByteSeconds: 600
  router:
    baseUrl: https://openrouter.ai/api/v1
    keyVariable: OPENROUTER_API_KEY
    headers: {X-Title: Deckhand}
`)
  expect(problems).toEqual([])
  expect(config).toMatchObject({
    model: 'ollama/qwen3:8b',
    caFile: '/etc/ca.pem',
    models: [{ id: 'deepseek/deepseek-flash' }, { id: 'openai/x', contextSize: 1000, price: { input: 1, output: 2 } }],
    providers: {
      ollama: { models: [{ id: 'qwen3:8b' }], headers: {}, firstByteSeconds: 600 },
      router: { keyVariable: 'OPENROUTER_API_KEY', headers: { 'X-Title': 'Deckhand' }, models: [] },
    },
  })
})

it.each([
  ['model: gpt-5', /model: expected provider\/model, got "gpt-5"/],
  ['models: [x]', /models\[1\]: expected the name of a model/],
  ['providers: {My-Own: {}}', /expected a name of small letters/],
  ['providers: {own: {baseUrl: 127.0.0.1:8080}}', /providers\.own\.baseUrl: expected an http or https address/],
  ['providers: {own: {baseUrl: "https://user:key@host/v1"}}', /without a key in it/],
  ['providers: {own: {baseurl: "https://host/v1"}}', /providers\.own\.baseurl is no setting; did you mean baseUrl/],
  ['providers: {own: {keyVariable: "A B"}}', /expected the name of an environment variable/],
  ['providers: {own: {idleSeconds: 0}}', /expected at least 1/],
])('%s is a problem in words', (text, words) => {
  const { problems } = readConfigText(text)
  expect(problems.map(problem => problem.text).join('\n')).toMatch(words)
})
