import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { deckhand, makeDirectory, openAgent } from './support.js'

it('a relative DECKHAND_STATE_DIR ends the start with one message that says so', async () => {
  const { code, stdout, stderr } = await deckhand(['acp'], { env: { DECKHAND_STATE_DIR: 'relative/dir' } })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^deckhand: DECKHAND_STATE_DIR must be an absolute path.*\n$/)
})

it('logs are for their owner only, and a session without a prompt leaves none', async () => {
  const stateDir = join(makeDirectory('place'), 'state')
  const agent = await openAgent('plain', { stateDir })
  const cwd = makeDirectory()
  await agent.newSession(cwd)
  expect(existsSync(join(stateDir, 'sessions'))).toBe(false)
  const sessionId = await agent.newSession(cwd)
  await agent.prompt(sessionId, '!true')
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
  expect(mode(stateDir)).toBe('700')
  expect(mode(join(stateDir, 'sessions'))).toBe('700')
  expect(mode(join(stateDir, 'sessions', `${sessionId}.jsonl`))).toBe('600')
  await agent.end()
  expect(readdirSync(join(stateDir, 'sessions')).filter(name => name.endsWith('.lock'))).toEqual([])
})
