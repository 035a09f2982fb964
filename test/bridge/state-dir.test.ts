import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cards } from '../support/cards.js'
import { makeDirectory } from '../support/directory.js'
import { openLocalAgent } from '../support/local-agent.js'

it('a state directory that cannot be written: the prompt is refused by its name and nothing runs', async () => {
  const place = makeDirectory('place')
  const stateDir = join(place, 'file', 'state')
  writeFileSync(join(place, 'file'), 'no directory')
  const cwd = makeDirectory()
  const agent = await openLocalAgent('plain', { stateDir })
  const sessionId = await agent.newSession(cwd)
  const { error } = await agent.prompt(sessionId, '!touch ran')
  expect(error).toMatchObject({ code: -32603, data: { details: expect.stringContaining(stateDir) } })
  expect(error.data.details).toMatch(/DECKHAND_STATE_DIR/)
  expect(existsSync(join(cwd, 'ran'))).toBe(false)
  expect(cards(agent.updates(sessionId))).toEqual([])
  expect((await agent.request('session/list')).result).toEqual({ sessions: [] })
  rmSync(join(place, 'file'))
  expect((await agent.prompt(sessionId, '!touch ran')).result).toEqual({ stopReason: 'end_turn' })
  expect(existsSync(join(cwd, 'ran'))).toBe(true)
  expect((await agent.request('session/list')).result.sessions).toHaveLength(1)
})

it('a state directory that is removed while the agent runs ends nothing: what is open goes on, and new sessions work', async () => {
  const cwd = makeDirectory()
  const agent = await openLocalAgent('terminal_output')
  const sessionId = await agent.newSession(cwd)
  await agent.prompt(sessionId, '!echo one')
  rmSync(agent.stateDir, { recursive: true })
  expect((await agent.prompt(sessionId, '!echo two')).result).toEqual({ stopReason: 'end_turn' })
  const next = await agent.newSession(cwd)
  expect((await agent.prompt(next, '!echo three')).result).toEqual({ stopReason: 'end_turn' })
  expect((await agent.request('session/close', { sessionId })).result).toEqual({})
  expect((await agent.request('session/list')).result.sessions).toMatchObject([{ sessionId: next }])
})

it('the log file holds neither prompts nor what commands print', async () => {
  const agent = await openLocalAgent()
  const sessionId = await agent.newSession(makeDirectory())
  await agent.prompt(sessionId, '!echo a-secret-word')
  await agent.prompt(sessionId, 'another-secret-word')
  await agent.request('a/method', { value: 'third-secret-word' })
  expect(agent.log()).not.toContain('secret-word')
})

it('a log that cannot be removed or read is named in the answer', async () => {
  const cwd = makeDirectory()
  const agent = await openLocalAgent()
  const sessionId = await agent.newSession(cwd)
  await agent.prompt(sessionId, '!true')
  await agent.request('session/close', { sessionId })
  const log = join(agent.stateDir, 'sessions', `${sessionId}.jsonl`)
  rmSync(log)
  mkdirSync(log)
  const { error } = await agent.request('session/load', { sessionId, cwd, mcpServers: [] })
  expect(error).toMatchObject({ code: -32603, data: { details: expect.stringContaining(log) } })
  expect(readFileSync(join(agent.stateDir, 'deckhand.log'), 'utf8')).toContain(sessionId)
})
