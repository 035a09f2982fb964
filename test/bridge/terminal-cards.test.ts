import { describe, expect, it } from 'vitest'
import { isCommandTooLarge } from '../../src/bridge/render/render-input.js'
import type { ToolCallView } from '../../src/cards/index.js'
import {
  type CallUpdate,
  DELTA,
  endOfCall,
  type OneCall,
  PLAIN,
  runCall,
  runSession,
  textsOf,
  ZED,
} from './run-session.js'

const bash: ToolCallView = { card: 'terminal', title: 'npm test' }
const described: ToolCallView = { ...bash, description: 'Run the tests' }

function dataOf(updates: CallUpdate[], key = 'terminal_output'): string {
  return updates.map(({ _meta }) => (_meta?.[key] as { data: string } | undefined)?.data ?? '').join('')
}

describe('a terminal at a client that draws them', () => {
  it('gets what the command wrote untouched, in messages with nothing else (B30, B36)', async () => {
    const output = ['\u001b[1mhi\u001b[0m\r', '````\n', '你']
    const updates = await runCall(
      { call: bash, output, result: { card: 'terminal', output: 'ignored', exitCode: 0 } },
      ZED,
    )
    expect(dataOf(updates)).toBe(output.join(''))
    const progress = updates.filter(update => update._meta && 'terminal_output' in update._meta)
    for (const update of progress)
      expect(Object.keys(update).sort()).toEqual(['_meta', 'sessionUpdate', 'status', 'toolCallId'])
    expect(updates.at(-1)).toEqual({
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c1',
      status: 'completed',
      _meta: { terminal_exit: { terminal_id: 'c1', exit_code: 0 } },
    })
  })

  it('has its output under the other key at a delta client', async () => {
    const updates = await runCall({ call: bash, output: ['hi'] }, DELTA)
    expect(dataOf(updates, 'terminal_output_delta')).toBe('hi')
    expect(updates.at(-1)?._meta).toEqual({ terminal_exit: { terminal_id: 'c1' } })
  })

  it.each([
    [{ exitCode: 3 }, { exit_code: 3 }],
    [{ exitCode: 3_221_225_786 }, { exit_code: 3_221_225_786 }],
    [{ signal: 'SIGKILL' }, { signal: 'SIGKILL' }],
    [{}, {}],
  ])('ends with what is known of its exit: %o (B34)', async (exit, expected) => {
    const end = await endOfCall({ call: bash, code: 'COMMAND_FAILED', result: { card: 'terminal', ...exit } }, ZED)
    expect(end).toMatchObject({ status: 'failed' })
    expect(end._meta).toEqual({ terminal_exit: { terminal_id: 'c1', ...expected } })
    expect(end).not.toHaveProperty('content')
  })

  it.each<[string, OneCall, string]>([
    ['the view’s output if nothing was streamed', { result: { card: 'terminal', output: 'late' } }, 'late'],
    ['the raw text of a missing view', {}, 'done'],
    ['the raw text of a generic view', { result: { card: 'generic', content: [{ type: 'text', text: 'g' }] } }, 'g'],
    ['nothing more if it was streamed', { output: ['a'], result: { card: 'generic' } }, 'a'],
    ['the reason of a failure after output as its last line', { output: ['a'], code: 'TOOL_FAILED' }, 'a\n[done]'],
    ['[interrupted] as its last line', { output: ['a\n'], ends: false }, 'a\n[interrupted]'],
  ])('shows %s', async (_what, script, expected) => {
    expect(dataOf(await runCall({ call: bash, ...script }, ZED))).toBe(expected)
  })

  it.each<[string, Partial<OneCall>]>([
    ['a refusal', { runs: false, code: 'REFUSED' }],
    ['a missing directory', { code: 'MISSING_CWD' }],
  ])('gives way to the reason of %s, and is closed all the same', async (_what, script) => {
    const end = await endOfCall({ call: described, ...script }, ZED)
    expect(textsOf(end)).toEqual(['done'])
    expect(end._meta).toEqual({ terminal_exit: { terminal_id: 'c1' } })
  })

  it('cuts its output into messages by their size as serialized, on code points', async () => {
    const output = '\u001b👋'.repeat(20_000)
    const updates = await runCall({ call: bash, output: [output] }, ZED)
    expect(dataOf(updates)).toBe(output)
    for (const update of updates) expect(Buffer.byteLength(JSON.stringify(update))).toBeLessThan(64 * 1024)
  })

  it('bounds a stream: a marker with the count of bytes left out, then the tail', async () => {
    const line = `${'x'.repeat(1023)}\n`
    const updates = await runCall({ call: bash, output: [...Array(3000).fill(line), 'the end'] }, ZED)
    const data = dataOf(updates)
    expect(data.length).toBeLessThan(1.3 * 1024 * 1024)
    const [, left] = /\n\[(\d+) bytes left out\]\n/.exec(data) ?? []
    expect(Number(left) + data.length - `\n[${left} bytes left out]\n`.length).toBe(3000 * 1024 + 7)
    expect(data.endsWith('the end')).toBe(true)
  })

  it('becomes an edit if the result is a diff', async () => {
    const diffs = [{ path: 'a', oldText: 'x', newText: 'y', line: 2 }]
    const end = await endOfCall({ call: bash, output: ['a'], result: { card: 'diff', diffs } }, ZED)
    expect(end).toMatchObject({ kind: 'edit', content: [{ type: 'diff' }], locations: [{ path: '/w/a', line: 2 }] })
    expect(end._meta).toEqual({ terminal_exit: { terminal_id: 'c1' }, deckhand: { hunks: [2] } })
  })
})

it.each([
  ['with terminals', ZED],
  ['without', PLAIN],
])('a terminal at a client %s ends with the files that its output is about, absolute', async (_what, client) => {
  const locations = [{ path: 'src/a.ts', line: 3 }]
  for (const call of [bash, undefined]) {
    const end = await endOfCall(
      { call, output: ['1 failed'], code: 'X', result: { card: 'terminal', exitCode: 1, locations } },
      client,
    )
    expect(end.locations).toEqual([{ path: '/w/src/a.ts', line: 3 }])
  }
})

describe('a terminal at other clients', () => {
  it.each(['```', '````', '`````'])('is a block fenced by more than the %s inside (B36)', async marks => {
    const end = await endOfCall({ call: described, output: [`${marks}\n`], result: { card: 'terminal', exitCode: 0 } })
    const fence = `${marks}\``
    expect(textsOf(end)).toEqual(['Run the tests', `${fence}console\n${marks}\n${fence}`])
  })

  it('folds control codes and progress lines (B30)', async () => {
    const end = await endOfCall({ call: bash, output: ['10%\r50%\r100%\n\u001b[32mdone\u001b[0m\r\n'] })
    expect(textsOf(end)).toEqual(['```console\n100%\ndone\n```'])
  })

  it.each([
    [{ exitCode: 3 }, 'Exit code 3.'],
    [{ signal: 'SIGKILL' }, 'Ended by SIGKILL.'],
    [{}, 'Failed.'],
  ])('says how it failed: %o (B34)', async (exit, status) => {
    const end = await endOfCall({ call: bash, output: ['out'], code: 'X', result: { card: 'terminal', ...exit } })
    expect(textsOf(end)).toEqual(['```console\nout\n```', status])
  })

  it('says so if there was no output', async () => {
    expect(textsOf(await endOfCall({ call: bash, result: { card: 'terminal', exitCode: 0 } }))).toEqual(['No output.'])
  })

  it('shows the whole text so far while it runs, and [interrupted] if that is all', async () => {
    const end = await endOfCall({ call: described, output: ['a', 'b'], ends: false })
    expect(textsOf(end)).toEqual(['Run the tests', '```console\nab\n```', '[interrupted]'])
  })

  it('bounds the text of a long output', async () => {
    const end = await endOfCall({ call: bash, output: Array(200).fill('x\n'.repeat(1000)) })
    expect(Buffer.byteLength(textsOf(end)[0] ?? '')).toBeLessThan(41 * 1024)
    expect(textsOf(end)[0]).toContain('bytes left out]')
  })

  it('shows the reason of a call that never ran', async () => {
    expect(textsOf(await endOfCall({ call: described, runs: false, code: 'REFUSED' }))).toEqual(['done'])
  })
})

describe('a terminal result of another card', () => {
  it('is fenced, at any client', async () => {
    const call: ToolCallView = { card: 'generic', title: 'Job 1' }
    const script: OneCall = {
      call,
      code: 'X',
      result: { card: 'terminal', title: 'job\tout', output: 'hi', exitCode: 2 },
    }
    for (const client of [PLAIN, ZED]) {
      const end = await endOfCall(script, client)
      expect(textsOf(end)).toEqual(['```console\nhi\n```', 'Exit code 2.'])
      expect(end.title).toBe('job⇥out')
      expect(end).not.toHaveProperty('_meta')
    }
  })
})

describe('a command', () => {
  it('stands whole in rawInput when its title had to be cut', async () => {
    const command = `echo ${'x'.repeat(100_000)}`
    const [call] = await runCall({ call: { card: 'terminal', title: command } })
    expect(call.title?.length).toBe(200)
    expect(call.rawInput).toEqual({ command })
  })

  it('over 256 KiB, or that no message can hold twice, is too large, and its card still fits', async () => {
    expect(isCommandTooLarge('x'.repeat(256 * 1024))).toBe(false)
    expect(isCommandTooLarge('x'.repeat(256 * 1024 + 1))).toBe(true)
    expect(isCommandTooLarge('\u001b'.repeat(200 * 1024))).toBe(true)
    const [call] = await runSession([
      {
        type: 'tool/call',
        callId: 'c1',
        name: 'one',
        arguments: { call: { card: 'terminal', title: '\u001b'.repeat(500_000) } },
        origin: 'model',
      },
    ])
    expect(Buffer.byteLength(JSON.stringify(call))).toBeLessThan(512 * 1024)
  })
})
