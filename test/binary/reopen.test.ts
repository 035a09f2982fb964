import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { foldUpdates } from '../support/fold.js'
import { clients, makeDirectory, openAgent } from './support.js'

const PROMPTS = [
  "!printf 'a\\nb\\n'",
  '/edit path=names.txt old_string=Ada new_string=Grace replace_all=true',
  '/edit {"path": "lines.txt", "edits": [{"old_string": "two", "new_string": "2"}, {"old_string": "forty", "new_string": "40"}]}',
  '/write sub/new.txt\n```\nfirst\nsecond\n```',
  '!echo out; echo err >&2; exit 3',
  '/read path=lines.txt offset=10 limit=3',
  '/edit path=names.txt old_string=nobody new_string=x',
  '/todo {"entries": [{"content": "Look around", "status": "in_progress"}]}',
  '!printf "10%%\\r100%%\\n\\033[31mred\\033[0m\\n````\\n"',
  'plain words',
  '!one\n/tools',
]

function makeProject(): string {
  const cwd = makeDirectory()
  const filler = Array.from({ length: 30 }, (_, index) => `other ${index}`)
  writeFileSync(join(cwd, 'names.txt'), ['Ada', ...filler, 'Ada', ''].join('\n'))
  writeFileSync(join(cwd, 'lines.txt'), ['one', 'two', ...filler, 'forty', ''].join('\n'))
  return cwd
}

it.each(clients)('a session loaded in a new process shows what the live one showed (B45, %s)', async client => {
  const cwd = makeProject()
  const first = await openAgent(client)
  const sessionId = await first.newSession(cwd)
  for (const text of PROMPTS) {
    expect((await first.prompt(sessionId, text)).result).toEqual({ stopReason: 'end_turn' })
  }
  await first.end()
  const live = first.updates(sessionId)
  expect(readFileSync(join(cwd, 'names.txt'), 'utf8').match(/Grace/g)).toHaveLength(2)
  expect(readFileSync(join(cwd, 'sub/new.txt'), 'utf8')).toBe('first\nsecond\n')

  const second = await openAgent(client, { stateDir: first.stateDir })
  const loaded = await second.request('session/load', { sessionId, cwd, mcpServers: [] })
  expect(loaded.error).toBeUndefined()
  const responseAt = second.frames.indexOf(loaded)
  const replayed = second.frames
    .slice(0, responseAt)
    .filter(frame => frame.method)
    .map(frame => frame.params.update)
  expect(foldUpdates(replayed, { user: false })).toEqual(foldUpdates(live, { user: false }))
  const users = foldUpdates(replayed).entries.flatMap(entry => (entry.type === 'user' ? [entry.text] : []))
  expect(users).toEqual(PROMPTS)

  expect((await second.prompt(sessionId, '!echo again')).result).toEqual({ stopReason: 'end_turn' })
  const ids = [...replayed, ...second.updates(sessionId, responseAt)]
    .filter(update => update.sessionUpdate === 'tool_call')
    .map(update => update.toolCallId)
  expect(new Set(ids).size).toBe(ids.length)
})
