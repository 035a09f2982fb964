import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type LoadSessionResponse,
  methods,
  type NewSessionResponse,
  type SessionConfigOption,
} from '@agentclientprotocol/sdk'
import { describe, expect, it, onTestFinished } from 'vitest'
import { defaultConfig, storeCredential } from '../../src/config/index.js'
import { connect } from './connected-agent.js'

const agent = methods.agent

/** An endpoint that lists two models and cannot do more. */
async function endpoint(): Promise<string> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url?.endsWith('/models')) response.end(JSON.stringify({ data: [{ id: 'small' }, { id: 'large' }] }))
    else response.writeHead(404).end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>(resolve => server.close(() => resolve())))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

const env = { OPENAI_API_KEY: 'test', OPENAI_MODEL: 'fake-model' }

function valuesOf(options: readonly SessionConfigOption[] | null | undefined, id: string) {
  const option = options?.find(entry => entry.id === id)
  if (option?.type !== 'select') return undefined
  return {
    current: option.currentValue,
    values: option.options.flatMap(entry => ('value' in entry ? [entry.value] : [])),
  }
}

describe('options of a session', () => {
  it('offer no model while none is configured', async () => {
    const { connection, cwd } = await connect({ env: {} })
    const { configOptions } = await connection.agent.request<NewSessionResponse>(agent.session.new, {
      cwd,
      mcpServers: [],
    })
    expect(configOptions?.map(({ id }) => id)).toEqual(['mode'])
  })

  it('offer the model in force at once, and what the endpoint lists when it has answered', async () => {
    const { connection, cwd, updates } = await connect({ env: { ...env, OPENAI_BASE_URL: await endpoint() } })
    const made = await connection.agent.request<NewSessionResponse>(agent.session.new, { cwd, mcpServers: [] })
    expect(valuesOf(made.configOptions, 'model')).toEqual({
      current: 'openai/fake-model',
      values: ['openai/fake-model'],
    })
    const told = () => updates(made.sessionId).find(update => update.sessionUpdate === 'config_option_update')
    await expect.poll(told).toBeDefined()
    const update = told()
    expect(update?.sessionUpdate === 'config_option_update' && valuesOf(update.configOptions, 'model')?.values).toEqual(
      ['openai/small', 'openai/large', 'openai/fake-model'],
    )
  })

  it('and the slash menu follow a login while sessions are open', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'deckhand-keys-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const credentialsPath = join(folder, 'credentials.yml')
    // Without the name of a variable for its key it would need none.
    const own = { baseUrl: await endpoint(), keyVariable: 'OWN_KEY', models: [{ id: 'small' }] }
    const config = { ...defaultConfig(), providers: { own } } as unknown as ReturnType<typeof defaultConfig>
    const connected = await connect({ env: {}, config, credentialsPath })
    const { connection, newSession, updates } = connected
    const ids = [await newSession(), await newSession()]
    const menus = (id: string) =>
      updates(id).flatMap(update =>
        update.sessionUpdate === 'available_commands_update' ? [update.availableCommands.map(({ name }) => name)] : [],
      )
    const models = (id: string) =>
      updates(id).flatMap(update =>
        update.sessionUpdate === 'config_option_update' ? [valuesOf(update.configOptions, 'model')?.current] : [],
      )
    await expect.poll(() => ids.every(id => menus(id).length === 1)).toBe(true)
    await connection.agent.request(agent.authenticate, { methodId: 'deckhand-login' })
    await storeCredential(credentialsPath, 'own', 'sk-1')
    await connection.agent.request(agent.authenticate, { methodId: 'deckhand-login' })
    for (const id of ids) {
      await expect.poll(() => menus(id).length).toBe(2)
      expect(menus(id)[0]).toContain('read')
      expect(menus(id)[1]).toEqual(expect.arrayContaining(['compact', 'help']))
      expect(menus(id)[1]).not.toContain('read')
      await expect.poll(() => models(id)[0]).toBe('own/small')
    }
  })

  it('a chosen model and thinking level are answered, logged with the first prompt, and there again after a load', async () => {
    const config = {
      ...defaultConfig(),
      providers: {
        local: {
          baseUrl: await endpoint(),
          models: [{ id: 'thinker', thinkingLevels: ['low', 'high'] }, { id: 'plain' }],
        },
      },
    } as unknown as ReturnType<typeof defaultConfig>
    const { connection, cwd, prompt } = await connect({ env: { DECKHAND_MODEL: 'local/plain' }, config })
    const { sessionId, configOptions } = await connection.agent.request<NewSessionResponse>(agent.session.new, {
      cwd,
      mcpServers: [],
    })
    expect(valuesOf(configOptions, 'model')?.values).toEqual(['local/thinker', 'local/plain'])
    expect(valuesOf(configOptions, 'thought_level')).toBeUndefined()
    const set = (configId: string, value: string) =>
      connection.agent.request(agent.session.setConfigOption, { sessionId, configId, value })
    const chosen = await set('model', 'local/thinker')
    expect(valuesOf(chosen.configOptions, 'model')?.current).toBe('local/thinker')
    expect(valuesOf(chosen.configOptions, 'thought_level')).toEqual({
      current: 'default',
      values: ['default', 'low', 'high'],
    })
    expect(valuesOf((await set('thought_level', 'high')).configOptions, 'thought_level')?.current).toBe('high')
    await prompt(sessionId, '/help')
    await connection.agent.request(agent.session.close, { sessionId })
    const loaded = await connection.agent.request<LoadSessionResponse>(agent.session.load, {
      sessionId,
      cwd,
      mcpServers: [],
    })
    expect(valuesOf(loaded.configOptions, 'model')?.current).toBe('local/thinker')
    expect(valuesOf(loaded.configOptions, 'thought_level')?.current).toBe('high')
  })

  it.each([
    ['model', 'openai/no-such-model'],
    ['thought_level', 'high'],
    ['colour', 'blue'],
  ])('refuse %s = %s, which is not on offer', async (configId, value) => {
    const { connection, newSession } = await connect({ env })
    const sessionId = await newSession()
    await expect(
      connection.agent.request(agent.session.setConfigOption, { sessionId, configId, value }),
    ).rejects.toMatchObject({ code: -32602 })
  })
})
