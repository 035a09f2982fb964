import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { json, startServer } from '../agent/model/provider/support.js'
import { HOST, makeCertificates, startProxy, startSecureServer } from '../network/support.js'
import { deckhand, makeDirectory } from './support.js'

/** An environment without the user's keys and files. */
function cleanEnvironment(more: Record<string, string> = {}): Record<string, string | undefined> {
  const home = makeDirectory('home')
  return {
    ...{
      DECKHAND_CONFIG: undefined,
      DECKHAND_MODEL: undefined,
      XDG_CONFIG_HOME: undefined,
      APPDATA: join(home, 'roaming'),
    },
    ...{
      ANTHROPIC_API_KEY: undefined,
      DEEPSEEK_API_KEY: undefined,
      OPENAI_API_KEY: undefined,
      OPENAI_MODEL: undefined,
    },
    ...{ HOME: home, USERPROFILE: home, DECKHAND_STATE_DIR: join(home, 'state') },
    ...more,
  }
}

const place = (env: Record<string, string | undefined>) =>
  process.platform === 'win32'
    ? join(env.APPDATA ?? '', 'deckhand', 'credentials.yml')
    : join(env.HOME ?? '', '.config', 'deckhand', 'credentials.yml')

it('a key from a pipe is proved, stored for its owner only, and removed by logout', async () => {
  const server = await startServer(json(200, { data: [{ id: 'claude-x' }] }))
  const env = cleanEnvironment({ ANTHROPIC_BASE_URL: server.url })
  const login = await deckhand(['login', 'anthropic'], { env, input: 'sk-ant-secret-1\n' })
  expect(login).toMatchObject({ code: 0, stderr: '' })
  expect(login.stdout).toContain(`It is stored in ${place(env)}`)
  expect(login.stdout).toContain('The next prompt goes to anthropic/claude-sonnet-5-5')
  expect(login.stdout).not.toContain('secret')
  expect(server.requests[0]?.headers['x-api-key']).toBe('sk-ant-secret-1')
  expect(readFileSync(place(env), 'utf8')).toContain('anthropic: sk-ant-secret-1')
  if (process.platform !== 'win32') expect(statSync(place(env)).mode & 0o777).toBe(0o600)

  const logout = await deckhand(['logout', 'anthropic'], { env })
  expect(logout).toMatchObject({ code: 0, stderr: '' })
  expect(logout.stdout).toContain('The key of anthropic is removed')
  expect(readFileSync(place(env), 'utf8')).not.toContain('secret')
  expect((await deckhand(['logout', 'anthropic'], { env })).stdout).toContain('There is no key of anthropic')
})

it('a key that the provider rejects is not stored', async () => {
  const server = await startServer(json(401, { type: 'error', error: { type: 'authentication_error', message: 'no' } }))
  const env = cleanEnvironment({ ANTHROPIC_BASE_URL: server.url })
  const login = await deckhand(['login', 'anthropic'], { env, input: 'sk-ant-wrong-1\n' })
  expect(login.code).toBe(1)
  expect(login.stderr).toBe('anthropic rejected the key.\nThe key was not stored.\n')
  expect(() => statSync(place(env))).toThrow()
})

it('the built program goes through a proxy to a host with a private authority', async () => {
  const { caFile, ...tls } = await makeCertificates()
  const proxy = await startProxy(await startSecureServer(tls))
  const env = cleanEnvironment({ HTTPS_PROXY: proxy.url })
  const directory = join(place(env), '..')
  mkdirSync(directory, { recursive: true })
  const provider = `{baseUrl: "https://${HOST}/v1", models: [m]}`
  writeFileSync(join(directory, 'config.yml'), `caFile: ${JSON.stringify(caFile)}\nproviders: {own: ${provider}}\n`)
  const login = await deckhand(['login', 'own'], { env, input: 'sk-own-1\n' })
  // The server answers with a sentence, which no model does: it was reached all the same.
  expect(login.stderr).toMatch(/^The answer of own broke off/)
  expect(login.code).toBe(1)
  expect(proxy.asked.map(({ target }) => target)).toEqual([`${HOST}:443`])
})

it.each([
  [['login'], 'sk-1\n', /name the provider: deckhand login PROVIDER/],
  [['acp', '--login'], 'sk-1\n', /name the provider/],
  [['login', 'nobody'], 'sk-1\n', /There is no provider "nobody"\. Known: anthropic/],
  [['login', 'deepseek'], '\n', /No key was given/],
  [['login', 'deepseek'], 'my key is sk-1\n', /That is no key/],
  [['acp', '--model', 'gpt-5'], '', /--model must have the form provider\/model/],
])('%j says what is wrong on stderr alone', async (args, input, words) => {
  const result = await deckhand(args, { env: cleanEnvironment(), input })
  expect(result.code).toBe(1)
  expect(result.stdout).toBe('')
  expect(result.stderr).toMatch(words)
  expect(result.stderr).not.toMatch(/ at .*\(/)
})
