import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeDirectory } from '../support/directory.js'
import { foldUpdates } from '../support/fold.js'
import { openLocalAgent } from '../support/local-agent.js'

function makeProject(): string {
  const cwd = makeDirectory()
  const filler = Array.from({ length: 30 }, (_, index) => `other ${index}`)
  writeFileSync(join(cwd, 'names.txt'), ['Ada', ...filler, 'Ada', ''].join('\n'))
  writeFileSync(join(cwd, 'lines.txt'), ['one', 'two', ...filler, 'forty', ''].join('\n'))
  return cwd
}

it('a resumed session sends nothing of its past and goes on, also with what it has read before', async () => {
  const cwd = makeProject()
  const first = await openLocalAgent('terminal_output')
  const sessionId = await first.newSession(cwd)
  await first.prompt(sessionId, '/read lines.txt')
  await first.end()

  const second = await openLocalAgent('terminal_output', { stateDir: first.stateDir })
  const resumed = await second.request('session/resume', { sessionId, cwd, mcpServers: [] })
  expect(resumed.error).toBeUndefined()
  await second.frame(frame => frame.params?.update?.sessionUpdate === 'available_commands_update')
  expect(second.frames.filter(frame => frame.method)).toHaveLength(1)
  // Allowed only because the session read the file before it was resumed.
  await second.prompt(sessionId, '/write lines.txt\n```\nreplaced\n```')
  expect(readFileSync(join(cwd, 'lines.txt'), 'utf8')).toBe('replaced\n')
})

it('session/list shows title, cwd and time, newest first, and only what had a prompt', async () => {
  const [one, two] = [makeDirectory(), makeDirectory()]
  const agent = await openLocalAgent()
  const older = await agent.newSession(one)
  const newer = await agent.newSession(two)
  await agent.newSession(one)
  await agent.prompt(older, '!true # the first thing\nsaid')
  await agent.prompt(newer, 'hello')

  const { result } = await agent.request('session/list', {})
  expect(result.sessions).toEqual([
    { sessionId: newer, cwd: two, title: 'hello', updatedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    { sessionId: older, cwd: one, title: '!true # the first thing⏎said', updatedAt: expect.any(String) },
  ])
  const filtered = await agent.request('session/list', { cwd: one })
  expect(filtered.result.sessions.map((session: { sessionId: string }) => session.sessionId)).toEqual([older])
  const broken = await agent.request('session/list', { cursor: 'not one of ours' })
  expect(broken.error).toMatchObject({ code: -32602, data: { details: expect.any(String) } })
})

it('a closed session can be loaded again, a deleted one is gone, and both can be asked for twice', async () => {
  const cwd = makeDirectory()
  const agent = await openLocalAgent()
  const sessionId = await agent.newSession(cwd)
  await agent.prompt(sessionId, '!echo kept')
  expect((await agent.request('session/close', { sessionId })).result).toEqual({})
  expect((await agent.request('session/close', { sessionId })).error).toMatchObject({ code: -32002 })
  expect((await agent.request('session/load', { sessionId, cwd, mcpServers: [] })).error).toBeUndefined()
  expect((await agent.request('session/delete', { sessionId })).result).toEqual({})
  expect((await agent.request('session/delete', { sessionId })).result).toEqual({})
  expect((await agent.request('session/list', {})).result.sessions).toEqual([])
  const loaded = await agent.request('session/load', { sessionId, cwd, mcpServers: [] })
  expect(loaded.error).toMatchObject({ code: -32002, data: { details: expect.stringContaining(sessionId) } })
})

it('loading a session that is open here shows it again, also in the middle of a turn', async () => {
  const cwd = makeDirectory()
  const agent = await openLocalAgent('terminal_output')
  const sessionId = await agent.newSession(cwd)
  await agent.prompt(sessionId, '!echo one')
  const turn = agent.start('session/prompt', { sessionId, prompt: [{ type: 'text', text: '!echo two; sleep 60' }] })
  await agent.frame(frame => frame.params?.update?._meta?.terminal_output?.data === 'two\n')
  const from = agent.frames.length
  const loaded = await agent.request('session/load', { sessionId, cwd, mcpServers: [] })
  expect(loaded.error).toBeUndefined()
  const answer = agent.frames.findIndex(frame => frame.id === turn && frame.result)
  expect(agent.frames[answer].result).toEqual({ stopReason: 'cancelled' })
  const replay = agent.frames.slice(answer + 1, agent.frames.indexOf(loaded)).map(frame => frame.params.update)
  const cards = foldUpdates(replay).entries.filter(entry => entry.type === 'call')
  expect(cards.map(card => card.fields.status)).toEqual(['completed', 'failed'])
  expect(from).toBeLessThan(answer)
  expect((await agent.prompt(sessionId, '!echo three')).result).toEqual({ stopReason: 'end_turn' })
})
