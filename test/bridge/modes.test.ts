import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type LoadSessionResponse, methods, type NewSessionResponse } from '@agentclientprotocol/sdk'
import { describe, expect, it } from 'vitest'
import { defaultConfig } from '../../src/config/index.js'
import { toHistory } from '../../src/session/index.js'
import { foldUpdates } from '../support/fold.js'
import { type Call, type ConnectedAsked, connectAsked, logged, outline, select } from './permission-support.js'

const IDS = ['ask', 'accept-edits', 'plan', 'full-access']
const FIVE = ['1', '2', '3', '4', '5'].map((path): Call => ['edit', { path, old_string: 'old', new_string: 'new' }])
const agent = methods.agent

async function putFive({ cwd }: ConnectedAsked) {
  for (const name of ['1', '2', '3', '4', '5']) await writeFile(join(cwd, name), 'old\n')
}

function setMode({ connection }: ConnectedAsked, sessionId: string, modeId: string) {
  return connection.agent.request(agent.session.setMode, { sessionId, modeId })
}

describe('modes of a session', () => {
  it('are offered as modes and as a config option, the same four, in new, load and resume', async () => {
    const connected = await connectAsked([], select('reject_once'))
    const { connection, cwd } = connected
    const made = await connection.agent.request<NewSessionResponse>(agent.session.new, { cwd, mcpServers: [] })
    await connected.prompt(made.sessionId, 'go')
    await setMode(connected, made.sessionId, 'plan')
    const params = { sessionId: made.sessionId, cwd, mcpServers: [] }
    const loaded = await connection.agent.request<LoadSessionResponse>(agent.session.load, params)
    const resumed = await connection.agent.request<LoadSessionResponse>(agent.session.resume, params)
    for (const [{ modes, configOptions }, mode] of [
      [made, 'ask'],
      [loaded, 'plan'],
      [resumed, 'plan'],
    ] as const) {
      expect(modes?.availableModes.map(({ id }) => id)).toEqual(IDS)
      expect(modes?.currentModeId).toBe(mode)
      expect(configOptions).toMatchObject([{ id: 'mode', category: 'mode', type: 'select', currentValue: mode }])
      const [option] = configOptions ?? []
      expect(option?.type === 'select' && option.options.map(value => 'value' in value && value.value)).toEqual(IDS)
    }
  })

  it('set_mode changes the option too, set_config_option changes the mode too, and each is told once', async () => {
    const connected = await connectAsked([], select('reject_once'))
    const { connection } = connected
    const sessionId = await connected.newSession()
    await setMode(connected, sessionId, 'plan')
    const told = () => connected.updates(sessionId).filter(update => /mode|option/.test(update.sessionUpdate))
    expect(told()).toMatchObject([{ sessionUpdate: 'config_option_update', configOptions: [{ currentValue: 'plan' }] }])
    const { configOptions } = await connection.agent.request(agent.session.setConfigOption, {
      sessionId,
      configId: 'mode',
      value: 'full-access',
    })
    expect(configOptions).toMatchObject([{ id: 'mode', currentValue: 'full-access' }])
    expect(told().slice(1)).toMatchObject([{ sessionUpdate: 'current_mode_update', currentModeId: 'full-access' }])
    await setMode(connected, sessionId, 'full-access')
    expect(told()).toHaveLength(2)
  })

  it('an unknown mode, option, value or session is -32602 and changes nothing', async () => {
    const connected = await connectAsked([], select('reject_once'))
    const { connection } = connected
    const sessionId = await connected.newSession()
    const option = (configId: string, value: string, id = sessionId) =>
      connection.agent.request(agent.session.setConfigOption, { sessionId: id, configId, value })
    for (const request of [
      () => setMode(connected, sessionId, 'yolo'),
      () => setMode(connected, 'nobody', 'ask'),
      () => option('mode', 'yolo'),
      () => option('speed', 'ask'),
      () => option('mode', 'ask', 'nobody'),
      () =>
        connection.agent.request(agent.session.setConfigOption, {
          sessionId,
          configId: 'mode',
          type: 'boolean',
          value: true,
        }),
    ]) {
      await expect(request()).rejects.toMatchObject({ code: -32602, data: { details: expect.any(String) } })
    }
    expect(connected.updates(sessionId).filter(update => /mode|option/.test(update.sessionUpdate))).toEqual([])
  })

  it('one "always" on the first of five edits: one question, five cards, five true diffs, both updates (J2)', async () => {
    const connected = await connectAsked(FIVE, select('allow_always'))
    await putFive(connected)
    const id = await connected.newSession()
    expect(await connected.prompt(id, 'go')).toBe('end_turn')
    expect(connected.dialogs).toHaveLength(1)
    const frames = outline(connected)
    expect(frames.filter(frame => /^\d/.test(frame))).toEqual([
      ...['1 pending', '2 pending', '3 pending', '4 pending', '5 pending', '1 asked'],
      ...['1 in_progress', '1 completed', '2 in_progress', '2 completed', '3 in_progress', '3 completed'],
      ...['4 in_progress', '4 completed', '5 in_progress', '5 completed'],
    ])
    expect(frames.filter(frame => /mode|options/.test(frame))).toEqual(['mode accept-edits', 'options'])
    const cards = foldUpdates(connected.updates(id)).entries.filter(entry => entry.type === 'call')
    expect(cards.map(({ fields }) => fields.content)).toEqual(
      ['1', '2', '3', '4', '5'].map(name => [
        { type: 'diff', path: join(connected.cwd, name), oldText: 'old\n', newText: 'new\n' },
      ]),
    )
  })

  it('a mode, a rejection and the line in the thread survive a load, and fold the same as live', async () => {
    const connected = await connectAsked(
      cwd => [FIVE[0] as Call, ['read', { path: join(cwd, '..', 'outside.txt') }]],
      (_dialog, index) => ({
        outcome: { outcome: 'selected', optionId: index === 0 ? 'allow_always' : 'reject_always' },
      }),
    )
    await putFive(connected)
    const { connection, cwd } = connected
    const sessionId = await connected.newSession()
    await connected.prompt(sessionId, 'go')
    const live = foldUpdates(connected.updates(sessionId), { user: false })
    await connection.agent.request(agent.session.close, { sessionId })
    const before = connected.updates(sessionId).length
    const loaded = await connection.agent.request<LoadSessionResponse>(agent.session.load, {
      sessionId,
      cwd,
      mcpServers: [],
    })
    expect(loaded.modes?.currentModeId).toBe('accept-edits')
    expect(foldUpdates(connected.updates(sessionId).slice(before), { user: false })).toEqual(live)
    expect(JSON.stringify(live)).toContain('Refused until this session ends')
    await setMode(connected, sessionId, 'full-access')
    await connected.prompt(sessionId, 'again')
    expect(connected.dialogs).toHaveLength(2)
    expect(connected.results[1]?.[1]?.error?.code).toBe('REFUSED')
  })

  it('a mode that is chosen before the first prompt is recorded with it, and leaves no session without one', async () => {
    const connected = await connectAsked([], select('reject_once'))
    const sessionId = await connected.newSession()
    await setMode(connected, sessionId, 'plan')
    const list = () => connected.connection.agent.request(agent.session.list, {})
    expect((await list()).sessions).toEqual([])
    await connected.prompt(sessionId, 'go')
    expect((await logged(connected, sessionId)).find(({ type }) => type === 'session/config')).toMatchObject({
      mode: 'plan',
    })
  })

  it('begin with the mode of the config, and two sessions have one each', async () => {
    const config = defaultConfig()
    config.permissions.mode = 'plan'
    const connected = await connectAsked([['write', { path: 'a', content: '' }]], select('allow_once'), { config })
    const first = await connected.newSession()
    const second = await connected.newSession()
    await setMode(connected, first, 'full-access')
    await connected.prompt(first, 'go')
    await connected.prompt(second, 'go')
    expect(connected.results.map(([result]) => result?.error?.code)).toEqual([undefined, 'REFUSED'])
    expect(connected.dialogs).toEqual([])
  })
})

describe('lines that a thread begins with', () => {
  it('come once, at the first prompt, and are no part of what a model is told', async () => {
    const connected = await connectAsked([], select('reject_once'), { notices: ['The config file has problems'] })
    const id = await connected.newSession()
    await connected.prompt(id, 'go')
    await connected.prompt(id, 'again')
    const lines = connected.updates(id).filter(update => JSON.stringify(update).includes('The config file'))
    expect(lines).toMatchObject([{ sessionUpdate: 'agent_message_chunk' }])
    expect(JSON.stringify(toHistory(await logged(connected, id)))).not.toContain('The config file')
  })
})
