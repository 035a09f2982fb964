import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { defaultConfig, type LoadedConfig } from '../../src/config/index.js'
import { connect } from './connected-agent.js'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deckhand-config-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

function settings(...plugins: string[]) {
  const path = join(folder, 'config.yml')
  const config = { ...defaultConfig(), plugins: plugins.map(source => ({ source })) }
  return { config, configPath: path, reload: { config, path, problems: [] } satisfies LoadedConfig }
}

const textOf = (updates: SessionUpdate[]) =>
  updates.flatMap(update =>
    update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? [update.content.text] : [],
  )

it('what could not be loaded is told once, in one line, at a thread’s first prompt', async () => {
  await writeFile(join(folder, 'a.mjs'), `throw new Error('no\\nway')`)
  const { config, configPath } = settings('./a.mjs', 'gone')
  const { newSession, prompt, updates } = await connect({ config, configPath })
  const id = await newSession()
  await prompt(id, '/help')
  await prompt(id, '/help')
  const lines = textOf(updates(id)).filter(text => text.includes('Plugin'))
  expect(lines).toEqual([
    expect.stringMatching(
      /^Plugin \.\/a\.mjs could not be loaded: no.way \(and 1 more; "deckhand doctor" shows all\)\n*$/,
    ),
  ])
})

it('a plugin’s driver has the prompts as long as it is there, and /reload is the way out', async () => {
  await writeFile(
    join(folder, 'echo.mjs'),
    `const driver = {
      async *run({ prompt }) {
        yield { type: 'text', messageId: 'echo', text: 'Echo: ' + prompt[0].text }
        return 'end_turn'
      },
      commands: () => [{ name: 'again', description: 'Say it again' }],
    }
    export const apply = ctx => { ctx.provide('driver', driver) }`,
  )
  const { config, configPath } = settings('./echo.mjs')
  const { newSession, prompt, updates } = await connect({
    config,
    configPath,
    rereadConfig: async () => settings().reload,
  })
  const id = await newSession()
  await prompt(id, '!exit 1')
  expect(textOf(updates(id)).join('')).toBe('Echo: !exit 1')
  await expect
    .poll(() =>
      updates(id).flatMap(update =>
        update.sessionUpdate === 'available_commands_update' ? update.availableCommands.map(({ name }) => name) : [],
      ),
    )
    .toEqual(['again', 'reload'])
  await prompt(id, '/reload')
  await prompt(id, '!true')
  expect(textOf(updates(id)).join('')).toContain('No plugins are loaded.')
  expect(updates(id).filter(({ sessionUpdate }) => sessionUpdate === 'tool_call')).toHaveLength(1)
})
