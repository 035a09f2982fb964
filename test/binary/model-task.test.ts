import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { call, calls, say, speak, think } from '../../fixtures/model-server/index.js'
import { foldUpdates } from '../support/fold.js'
import { openLocalModelAgent } from '../support/model-agent.js'
import { putTree } from '../support/tree.js'
import {
  always,
  answerQuestions,
  expectAppendOnly,
  openModelAgent,
  plainMessages,
  protocols,
  requestText,
  said,
  startModel,
} from './model-support.js'
import { cards, makeDirectory } from './support.js'

const TEXT = 'Ich prüfe die Größe: "日本語" 🎉🎉\n'

it.each(protocols)(
  'a task is read, edited, tested, corrected and tested again, and a new process goes on with it (%s)',
  async protocol => {
    const cwd = makeDirectory()
    await putTree(cwd, {
      'src/sum.js': 'export const sum = (a, b) => a - b // “größer”\n',
      'check.sh':
        '#!/bin/sh\ngrep -q "a + b" src/sum.js || { echo "1 test failed: sum"; exit 1; }\necho "1 test passed"\n',
    })
    chmodSync(join(cwd, 'check.sh'), 0o755)
    const server = await startModel(
      {
        parts: [
          think('Erst lesen… 🤔'),
          speak(TEXT),
          call('read', { path: 'src/sum.js' }),
          call('grep', { pattern: 'größer' }),
        ],
      },
      calls(call('edit', { path: 'src/sum.js', old_string: 'a - b // “größer”', new_string: 'a * b // “größer” 🎉' })),
      calls(call('bash', { command: './check.sh', description: 'Run the tests' })),
      {
        parts: [
          { type: 'thinking', text: '', redacted: true },
          think('"*" was wrong.'),
          call('edit', { path: 'src/sum.js', old_string: 'a * b', new_string: 'a + b' }),
        ],
      },
      calls(call('bash', { command: './check.sh', description: 'Run the tests' })),
      say('Fixed. 🎉'),
    )
    const first = await openModelAgent(server, protocol)
    const sessionId = await first.newSession(cwd)
    const questions = answerQuestions(first, sessionId, always)
    expect((await first.prompt(sessionId, 'Fix the sum')).result).toEqual({ stopReason: 'end_turn' })

    expect(readFileSync(join(cwd, 'src/sum.js'), 'utf8')).toBe('export const sum = (a, b) => a + b // “größer” 🎉\n')
    const updates = first.updates(sessionId)
    expect(cards(updates).map(({ fields }) => [fields.name, fields.kind, fields.status])).toEqual([
      ['read', 'read', 'completed'],
      ['grep', 'search', 'completed'],
      ['edit', 'edit', 'completed'],
      ['bash', 'execute', 'failed'],
      ['edit', 'edit', 'completed'],
      ['bash', 'execute', 'completed'],
    ])
    expect(said(first, sessionId)).toContain(TEXT)
    expect(said(first, sessionId)).toMatch(/Fixed\. 🎉$/)
    expect(said(first, sessionId, 'thought')).toContain('Erst lesen… 🤔')
    // One for the edits, one for the command.
    expect(questions.map(({ params }) => params.toolCall.kind)).toEqual(['edit', 'execute'])
    expect(requestText(server.requests[1]!)).toContain('export const sum = (a, b) => a - b')
    expect(requestText(server.requests[3]!)).toContain('1 test failed: sum')
    expect(requestText(server.requests[5]!)).toContain('1 test passed')
    const live = foldUpdates(updates, { user: false })
    await first.end()

    server.script.push(say('Still here.'))
    const second = await openLocalModelAgent(server, protocol, { stateDir: first.stateDir })
    expect((await second.request('session/load', { sessionId, cwd, mcpServers: [] })).error).toBeUndefined()
    expect(foldUpdates(second.updates(sessionId), { user: false })).toEqual(live)
    expect((await second.prompt(sessionId, 'And now?')).result).toEqual({ stopReason: 'end_turn' })
    expect(plainMessages(server.requests[6]!).at(-2)).toMatchObject({ role: 'assistant' })
    expectAppendOnly(server)
  },
)
