import { readFileSync, statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { json, startServer } from '../agent/model/provider/support.js'
import { cleanEnvironment, credentialsPlace as place } from './clean-environment.js'
import { runCli } from './run-cli.js'

it('a key from a pipe is proved, stored for its owner only, and removed by logout', async () => {
  const server = await startServer(json(200, { data: [{ id: 'claude-x' }] }))
  const env = cleanEnvironment({ ANTHROPIC_BASE_URL: server.url })
  const login = await runCli(['login', 'anthropic'], { env, input: 'sk-ant-secret-1\n' })
  expect(login).toMatchObject({ code: 0, stderr: '' })
  expect(login.stdout).toContain(`It is stored in ${place(env)}`)
  expect(login.stdout).toContain('The next prompt goes to anthropic/claude-sonnet-5-5')
  expect(login.stdout).not.toContain('secret')
  expect(server.requests[0]?.headers['x-api-key']).toBe('sk-ant-secret-1')
  expect(readFileSync(place(env), 'utf8')).toContain('anthropic: sk-ant-secret-1')
  if (process.platform !== 'win32') expect(statSync(place(env)).mode & 0o777).toBe(0o600)

  const logout = await runCli(['logout', 'anthropic'], { env })
  expect(logout).toMatchObject({ code: 0, stderr: '' })
  expect(logout.stdout).toContain('The key of anthropic is removed')
  expect(readFileSync(place(env), 'utf8')).not.toContain('secret')
  expect((await runCli(['logout', 'anthropic'], { env })).stdout).toContain('There is no key of anthropic')
})

it('a key that the provider rejects is not stored', async () => {
  const server = await startServer(json(401, { type: 'error', error: { type: 'authentication_error', message: 'no' } }))
  const env = cleanEnvironment({ ANTHROPIC_BASE_URL: server.url })
  const login = await runCli(['login', 'anthropic'], { env, input: 'sk-ant-wrong-1\n' })
  expect(login.code).toBe(1)
  expect(login.stderr).toBe('anthropic rejected the key.\nThe key was not stored.\n')
  expect(() => statSync(place(env))).toThrow()
})

it.each([
  [['login'], 'sk-1\n', /name the provider: deckhand login PROVIDER/],
  [['acp', '--login'], 'sk-1\n', /name the provider/],
  [['login', 'nobody'], 'sk-1\n', /There is no provider "nobody"\. Known: anthropic/],
  [['login', 'deepseek'], '\n', /No key was given/],
  [['login', 'deepseek'], 'my key is sk-1\n', /That is no key/],
  [['acp', '--model', 'gpt-5'], '', /--model must have the form provider\/model/],
])('%j says what is wrong on stderr alone', async (args, input, words) => {
  const result = await runCli(args, { env: cleanEnvironment(), input })
  expect(result.code).toBe(1)
  expect(result.stdout).toBe('')
  expect(result.stderr).toMatch(words)
  expect(result.stderr).not.toMatch(/ at .*\(/)
})
