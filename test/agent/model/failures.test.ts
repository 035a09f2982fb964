import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../../src/agent/model/provider/index.js'
import { type ErrorCode, HarnessError } from '../../../src/cards/index.js'
import { rawTool } from '../../registry/support.js'
import { outline } from '../turn-support.js'
import { asks, finish, openModelBench, says, silence, sketch, startModelRegistry, thinks } from './support.js'

const failure = (code: ErrorCode) => new HarnessError(code, `What to do about ${code}.`)
const notes = (lines: readonly string[]) => lines.filter(line => line.startsWith('note'))

async function benchWithTools(...[answers, options]: Parameters<typeof openModelBench>) {
  const ctx = await startModelRegistry()
  ctx.tools.register(rawTool('ok'))
  ctx.tools.register(rawTool('shown', { presentPartial: () => ({ card: 'generic', title: 'Shown' }) }))
  ctx.tools.register(
    rawTool('hangs', {
      execute: (_args, exec) =>
        new Promise((_, reject) => exec.signal.addEventListener('abort', () => reject(exec.signal.reason))),
    }),
  )
  return openModelBench(answers, { ...options, ctx })
}

describe('a model that fails', () => {
  it.each<ErrorCode>([
    'MODEL_RATE_LIMITED',
    'MODEL_OVERLOADED',
    'MODEL_REFUSED',
    'MODEL_UNREACHABLE',
    'MODEL_UNKNOWN',
    'MODEL_FAILED',
  ])('by %s gives a line with the next step, which the model never reads', async code => {
    const bench = await benchWithTools([[failure(code)], [says('ok'), finish()]])
    expect(await bench.prompt('go')).toEqual({ stopReason: 'end_turn' })
    expect(notes(outline(bench.events))).toEqual([`note What to do about ${code}.`])
    await bench.prompt('again')
    expect(sketch(bench.requests[1]!)).toEqual(['user: go \n\nagain'])
  })

  it('by a rejected key makes the turn fail with that code', async () => {
    const bench = await benchWithTools([[failure('MODEL_AUTH')]])
    expect(await bench.prompt('go')).toMatchObject({ error: { code: 'MODEL_AUTH' } })
  })

  it('in something of its own makes the turn fail, not the agent', async () => {
    const bench = await benchWithTools([[new TypeError('x is undefined')]])
    expect(await bench.prompt('go')).toMatchObject({ error: { code: 'DRIVER_FAILED' } })
  })

  it('in mid-text keeps what came, and says so', async () => {
    const bench = await benchWithTools([
      [says('half'), failure('MODEL_STREAM_DROPPED')],
      [says('rest'), finish()],
    ])
    await bench.prompt('go')
    expect(outline(bench.events).slice(2, -1)).toEqual([
      'assistant/message half',
      'note What to do about MODEL_STREAM_DROPPED. What came of it stays; send "go on" to continue.',
    ])
    await bench.prompt('go on')
    expect(sketch(bench.requests[1]!)).toEqual(['user: go', 'assistant: half', 'user: go on'])
  })

  it('before a word that counts is asked once more, and its early cards are closed', async () => {
    const bench = await benchWithTools([
      [
        thinks('hm'),
        { type: 'call-start', id: 'm1', name: 'shown' },
        { type: 'call-delta', id: 'm1', text: '{"a":1,' },
        failure('MODEL_STREAM_DROPPED'),
      ],
      [says('ok'), finish()],
    ])
    expect(await bench.prompt('go')).toEqual({ stopReason: 'end_turn' })
    expect(outline(bench.events).slice(2)).toEqual([
      'assistant/thought hm',
      'tool/start c1 shown',
      'tool/result c1 ABORTED_BEFORE_DISPATCH',
      'assistant/message ok',
      'turn/end end_turn',
    ])
    expect(bench.notices).toEqual(['The answer broke off. Asking again.'])
    expect(sketch(bench.requests[1]!)).toEqual(['user: go'])
  })

  it('twice in that way ends the turn', async () => {
    const bench = await benchWithTools([[failure('MODEL_TIMEOUT')], [failure('MODEL_TIMEOUT')]])
    expect(await bench.prompt('go')).toEqual({ stopReason: 'end_turn' })
    expect(notes(outline(bench.events))).toHaveLength(1)
  })

  it('shows what it waits for as a notice, or as a thought where the client has no place for notices', async () => {
    const waiting = [{ type: 'notice', text: 'Trying again in 2 s.' } as const, says('ok'), finish()]
    const bench = await benchWithTools([waiting, waiting])
    await bench.prompt('a')
    expect(bench.notices).toEqual(['Trying again in 2 s.'])
    expect(outline(bench.events)).not.toContain('assistant/thought Trying again in 2 s.\n')
    await bench.prompt('b', { notify: () => false })
    expect(outline(bench.events)).toContain('assistant/thought Trying again in 2 s.\n')
    expect(sketch({ prompt: bench.requests[1]!.prompt })).toEqual(['user: a', 'assistant: ok', 'user: b'])
  })
})

async function* thenSilence(request: ModelRequest, signal: AbortSignal, ...parts: Parameters<typeof asks> | []) {
  for (const part of parts.length > 0 ? asks(...(parts as Parameters<typeof asks>)).slice(0, -1) : []) yield part
  yield* silence(request, signal)
}

describe('a cancelled turn', () => {
  it.each<[string, Parameters<typeof openModelBench>[0][number], string]>([
    ['before the first byte', silence, 'user/message'],
    [
      'in text',
      async function* (request, signal) {
        yield says('half')
        yield* silence(request, signal)
      },
      'assistant/message half',
    ],
    [
      'in a thought',
      async function* (request, signal) {
        yield thinks('hm')
        yield* silence(request, signal)
      },
      'assistant/thought hm',
    ],
    [
      'in arguments',
      (request, signal) => thenSilence(request, signal, 'm1', 'shown', '{"a":1,'),
      'tool/start c1 shown',
    ],
    [
      'in a wait',
      async function* (request, signal) {
        yield { type: 'notice', text: 'waiting' }
        yield* silence(request, signal)
      },
      'notice',
    ],
    ['in a call', [...asks('m1', 'hangs', '{}'), finish('tool-calls')], 'tool/running c1'],
  ])('%s ends at once, and the next prompt sends a valid conversation', async (_phase, answer, at) => {
    const bench = await benchWithTools([answer, [says('back'), finish()]])
    const stop = new AbortController()
    const outcome = await bench.prompt('go', {
      signal: stop.signal,
      emit: event => {
        bench.events.push(event)
        if (outline([event])[0] === at) setImmediate(() => stop.abort())
      },
      notify: () => {
        if (at === 'notice') setImmediate(() => stop.abort())
        return true
      },
    })
    expect(outcome).toEqual({ stopReason: 'cancelled' })
    const lines = outline(bench.events)
    expect(lines.at(-1)).toBe('turn/end cancelled')
    const started = lines.filter(line => /^tool\/(start|call) /.test(line)).length
    expect(lines.filter(line => line.startsWith('tool/result')).length).toBe(started)
    const before = bench.events.length
    expect(await bench.prompt('again')).toEqual({ stopReason: 'end_turn' })
    expect(bench.events.length - before).toBe(4)
    const sent = sketch(bench.requests[1]!)
    expect(sent[0]).toMatch(/^user: go/)
    expect(sent.at(-1)).toMatch(/user: (go \n\n)?again$/)
    expect(sent.filter(line => line.startsWith('tool:')).length).toBe(lines.includes('tool/running c1') ? 1 : 0)
  })
})
