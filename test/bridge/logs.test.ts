import { appendFileSync, copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { clients, type Frame } from '../support/agent-client.js'
import { type Card, cards } from '../support/cards.js'
import { makeDirectory } from '../support/directory.js'
import { type LocalAgent, openLocalAgent } from '../support/local-agent.js'

const LOGS = resolve(import.meta.dirname, '../../fixtures/logs')
const UNUSABLE = ['empty', 'junk', 'version-2']
const names = readdirSync(LOGS).flatMap(name => (name.endsWith('.jsonl') ? [name.replace('.jsonl', '')] : []))

/** A state directory with some logs of fixtures/logs. */
function stateWith(...files: string[]): string {
  const stateDir = makeDirectory('state')
  mkdirSync(join(stateDir, 'sessions'))
  for (const name of files) copyFileSync(join(LOGS, `${name}.jsonl`), join(stateDir, 'sessions', `${name}.jsonl`))
  return stateDir
}

function load(agent: LocalAgent, sessionId: string, cwd: string): Promise<Frame> {
  return agent.request('session/load', { sessionId, cwd, mcpServers: [] })
}

it('each log of the fixtures: its good lines are shown, every call has an end, and the session goes on (B46, B50)', async () => {
  const cwd = makeDirectory()
  const stateDir = stateWith(...names)
  const agent = await openLocalAgent('terminal_output', { stateDir })
  const shown = new Map<string, Card[]>()
  for (const name of names) {
    const answer = await load(agent, name, cwd)
    if (UNUSABLE.includes(name)) {
      expect(answer.error).toMatchObject({ code: -32603, data: { details: expect.stringContaining(name) } })
      continue
    }
    expect({ name, error: answer.error }).toEqual({ name, error: undefined })
    for (const card of cards(agent.updates(name))) expect(['completed', 'failed']).toContain(card.fields.status)
    expect((await agent.prompt(name, '!echo on')).result).toEqual({ stopReason: 'end_turn' })
    shown.set(name, cards(agent.updates(name)))
  }
  await agent.end()

  const again = await openLocalAgent('terminal_output', { stateDir })
  for (const [name, before] of shown) {
    expect((await load(again, name, cwd)).error).toBeUndefined()
    expect(cards(again.updates(name))).toEqual(before)
  }
})

it.each(clients)(
  'a call without a result is interrupted, and a result without a call is not shown (B46, %s)',
  async client => {
    const agent = await openLocalAgent(client, { stateDir: stateWith('open-call', 'orphan-result') })
    await load(agent, 'open-call', makeDirectory())
    const [cut] = cards(agent.updates('open-call'))
    expect(cut?.fields.status).toBe('failed')
    expect(cut?.terminal?.data ?? JSON.stringify(cut?.fields.content)).toMatch(/compiling[\s\S]*\[interrupted\]/)

    await load(agent, 'orphan-result', makeDirectory())
    expect(cards(agent.updates('orphan-result')).map(card => card.fields.status)).toEqual(['completed'])
    expect(JSON.stringify(agent.frames)).not.toContain('from nowhere')
    expect(agent.log()).toMatch(/orphan-result: line \d+: .*ghost/)
  },
)

it('an edit that a crash cut off keeps its diff on the card, with the word interrupted (B51)', async () => {
  const cwd = makeDirectory()
  const stateDir = makeDirectory('state')
  mkdirSync(join(stateDir, 'sessions'))
  const at = 1_767_225_600_000
  const records = [
    { type: 'session', version: 1, id: 'cut-edit', cwd, roots: [cwd], created: '2026-01-01T00:00:00.000Z' },
    { at, type: 'turn/start', turnId: 't1' },
    { at, type: 'user/message', messageId: 'u1', content: [{ type: 'text', text: 'edit it' }] },
    {
      at,
      type: 'tool/call',
      callId: 'c1',
      name: 'write',
      arguments: { path: 'a.txt', content: 'x\n' },
      origin: 'user',
    },
    { at, type: 'tool/running', callId: 'c1' },
  ]
  const log = join(stateDir, 'sessions', 'cut-edit.jsonl')
  appendFileSync(log, records.map(record => `${JSON.stringify(record)}\n`).join(''))
  for (let round = 0; round < 2; round++) {
    const agent = await openLocalAgent('plain', { stateDir })
    await load(agent, 'cut-edit', cwd)
    expect(cards(agent.updates('cut-edit'))).toMatchObject([
      {
        fields: {
          status: 'failed',
          content: [
            { type: 'diff', path: join(cwd, 'a.txt'), newText: 'x\n' },
            { type: 'content', content: { type: 'text', text: '[interrupted]' } },
          ],
        },
      },
    ])
    await agent.end()
  }
  const results = readFileSync(log, 'utf8')
    .split('\n')
    .filter(line => line.includes('"tool/result"'))
  expect(results).toHaveLength(1)
})

it('junk in the directory of the logs is no session and no reason to fail', async () => {
  const agent = await openLocalAgent('plain', { stateDir: stateWith('good') })
  const directory = join(agent.stateDir, 'sessions')
  mkdirSync(join(directory, 'directory.jsonl'))
  appendFileSync(join(directory, 'UPPER CASE.jsonl'), '{}\n')
  appendFileSync(join(directory, 'notes.txt'), 'hello')
  appendFileSync(join(directory, 'index.json'), 'not json')
  appendFileSync(join(directory, 'zero.jsonl'), '')
  const { result } = await agent.request('session/list')
  expect(result.sessions.map(({ sessionId }: { sessionId: string }) => sessionId)).toEqual(['good'])
})
