import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeDirectory } from '../support/directory.js'
import { runCli } from './run-cli.js'

/** Sequences that a terminal acts on, C1 and delete among them, and a mark that reorders. */
const ACTING = '\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\b\r\u202e'
const RAW = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/

const header = {
  type: 'session',
  version: 1,
  id: 'hostile',
  cwd: '/w/project',
  roots: ['/w/project'],
  created: '2026-01-01T00:00:00.000Z',
}

function logOf(...events: object[]): string {
  return [header, ...events.map(event => ({ at: 1, ...event }))].map(line => `${JSON.stringify(line)}\n`).join('')
}

function updateOf(update: object): string {
  const msg = { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } }
  return `${JSON.stringify({ dir: 'out', msg })}\n`
}

/** Runs a command on a file with this text. */
function run(text: string, ...args: string[]): ReturnType<typeof runCli> {
  const file = join(makeDirectory('hostile'), 'file')
  writeFileSync(file, text)
  const [command = '', ...options] = args
  return runCli([command, file, ...options])
}

describe('a file that was written to do harm', () => {
  const call = (callId: string) => ({
    type: 'tool/call',
    callId,
    name: ACTING,
    arguments: { path: ACTING },
    origin: 'model',
  })

  it.each([
    ['replay', []],
    ['replay', ['--cards']],
    ['view', []],
  ])('sends the terminal no control character as a log: %s %j', async (command, options) => {
    const result = { type: 'tool/result', callId: 'c', content: [{ type: 'text', text: ACTING }], isError: true }
    const note = { type: 'note', messageId: 'n', text: ACTING }
    const { stdout, stderr } = await run(logOf(call('c'), result, note), command, ...options)
    expect(stdout).not.toMatch(RAW)
    expect(stderr).toBe('')
    if (command === 'replay' && options.length === 0) {
      const frames = stdout
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line))
      expect(frames.at(-1).params.update.content.text).toBe(ACTING)
    }
  })

  it.each(['check', 'view'])('sends the terminal no control character as a transcript: %s', async command => {
    const update = { sessionUpdate: ACTING, toolCallId: ACTING, title: ACTING, kind: ACTING, status: ACTING }
    const text = updateOf(update) + updateOf({ ...update, sessionUpdate: 'tool_call' }) + ACTING
    const { code, stdout, stderr } = await run(text, command)
    expect([code, stderr]).toEqual([1, ''])
    expect(stdout).toContain('rule')
    expect(stdout).not.toMatch(RAW)
  })

  it.each(['check', 'view'])('is read on behind a line that is nested too deeply: %s', async command => {
    const deep = '['.repeat(30_000) + ']'.repeat(30_000)
    const message = `{"dir":"out","msg":{"jsonrpc":"2.0","method":"x","params":${deep}}}`
    const { code, stdout, stderr } = await run(`${deep}\n${message}\nnone\n`, command)
    expect([code, stderr]).toEqual([1, ''])
    expect(stdout.match(/nested deeper than/g)).toHaveLength(2)
    expect(stdout).toContain('line 3: rule 13: not JSON')
  })

  it('is drawn within bounds: texts, words and diffs of megabytes', async () => {
    const long = 'a '.repeat(1_000_000)
    const diff = { type: 'diff', path: 'p', oldText: 'a\n'.repeat(1_000_000), newText: 'b\n'.repeat(1_000_000) }
    const card = { toolCallId: 'c', title: long, kind: long, status: long, content: [diff] }
    const text =
      updateOf({ sessionUpdate: 'tool_call', ...card }) +
      updateOf({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: long } })
    const { stdout } = await run(text, 'view')
    expect(stdout).toContain('[a diff of 3.8 MiB: not shown here]')
    expect(stdout.length).toBeLessThan(30_000)
  })

  it('with hundreds of calls that never end keeps the last of them open', async () => {
    const calls = Array.from({ length: 600 }, (_, index) => call(`c${index}`))
    const end = { type: 'tool/result', callId: 'c599', content: [{ type: 'text', text: 'ok' }], isError: false }
    const { stdout } = await run(logOf(...calls, end), 'replay')
    const updates = stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).params.update)
    const ends = updates.filter(({ status }) => status === 'failed' || status === 'completed')
    expect(ends).toHaveLength(600)
    expect(ends.filter(({ status }) => status === 'completed')).toHaveLength(1)
    const firstEnd = updates.findIndex(({ status }) => status === 'failed')
    expect(updates.slice(firstEnd).filter(({ sessionUpdate }) => sessionUpdate === 'tool_call')).toHaveLength(100)
  })

  it('with a time that is none is still listed', async () => {
    const stateDir = makeDirectory('state')
    const env = { DECKHAND_STATE_DIR: stateDir }
    mkdirSync(join(stateDir, 'sessions'))
    writeFileSync(
      join(stateDir, 'sessions', 'hostile.jsonl'),
      logOf({ at: 1e300, type: 'note', messageId: 'n', text: ACTING }),
    )
    const { code, stdout, stderr } = await runCli(['sessions', 'show', 'hostile'], { env })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('1e+300')
    expect(stdout).not.toMatch(RAW)
  })
})
