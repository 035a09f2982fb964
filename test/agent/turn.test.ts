import { describe, expect, it } from 'vitest'
import { text, toWellFormed } from '../../src/cards/index.js'
import type { ToolExecutionResult } from '../../src/registry/index.js'
import { HarnessError } from '../../src/registry/index.js'
import { rawTool } from '../registry/support.js'
import { calls, openTurnBench, outline, scripted } from './turn-support.js'

describe('a turn', () => {
  it('records the prompt, the texts and the end, in order', async () => {
    const bench = await openTurnBench()
    const outcome = await bench.run(
      scripted([
        { type: 'thought', messageId: 'm1', text: 'hm' },
        { type: 'text', messageId: 'm2', text: 'hello' },
        { type: 'text', messageId: 'm2', text: '' },
      ]),
    )
    expect(outcome).toEqual({ stopReason: 'end_turn' })
    expect(bench.events).toEqual([
      { type: 'turn/start', turnId: 't1' },
      { type: 'user/message', messageId: expect.any(String), content: [text('go')] },
      { type: 'assistant/thought', messageId: 'm1', text: 'hm' },
      { type: 'assistant/message', messageId: 'm2', text: 'hello' },
      { type: 'turn/end', turnId: 't1', stopReason: 'end_turn' },
    ])
  })

  it('passes on the stop reason of the driver', async () => {
    const bench = await openTurnBench()
    expect(await bench.run(scripted([], 'max_tokens'))).toEqual({ stopReason: 'max_tokens' })
    expect(outline(bench.events).at(-1)).toBe('turn/end max_tokens')
  })

  it('sends long text in pieces that keep characters whole', async () => {
    const bench = await openTurnBench()
    const long = `a${'😀'.repeat(10_000)}`
    await bench.run(scripted([{ type: 'text', messageId: 'm', text: long }]))
    const pieces = bench.events.flatMap(event => (event.type === 'assistant/message' ? [event.text] : []))
    expect(pieces.join('')).toBe(long)
    expect(pieces.length).toBeGreaterThan(2)
    for (const piece of pieces) {
      expect(piece.length).toBeLessThanOrEqual(8192)
      expect(toWellFormed(piece)).toBe(piece)
    }
  })

  it('hands each event on only when the one before is done', async () => {
    const bench = await openTurnBench()
    const log: string[] = []
    await bench.run(scripted([calls('ok')]), {
      emit: async event => {
        log.push(`> ${event.type}`)
        await new Promise(setImmediate)
        log.push(`< ${event.type}`)
      },
    })
    expect(log.filter((_, index) => index % 2 === 0).map(entry => entry.slice(2))).toEqual(
      log.filter((_, index) => index % 2 === 1).map(entry => entry.slice(2)),
    )
  })
})

describe('the calls of a step', () => {
  it('are announced together, run one after another, and have one result each, failed or not (B22)', async () => {
    const bench = await openTurnBench()
    const received: (ToolExecutionResult[] | undefined)[] = []
    await bench.run(scripted([calls('ok', 'fails', 'absent', 'ok')], 'end_turn', received))
    expect(outline(bench.events).slice(2, -1)).toEqual([
      'tool/call c1 ok',
      'tool/call c2 fails',
      'tool/call c3 absent',
      'tool/call c4 ok',
      'tool/running c1',
      'tool/result c1 ok',
      'tool/running c2',
      'tool/result c2 TOOL_FAILED',
      'tool/result c3 UNKNOWN_TOOL',
      'tool/running c4',
      'tool/result c4 ok',
    ])
    expect(received[0]?.map(result => result.callId)).toEqual(['c1', 'c2', 'c3', 'c4'])
  })

  it('keep the raw arguments and the id of the model in the log (B80)', async () => {
    const bench = await openTurnBench()
    const raw = ['', 'null', '5', '[]', '{', '{}']
    await bench.run(
      scripted([
        { type: 'calls', calls: raw.map(value => ({ id: 'same', name: 'ok', arguments: value, origin: 'model' })) },
      ]),
    )
    const logged = bench.events.filter(event => event.type === 'tool/call')
    expect(logged.map(event => event.arguments)).toEqual(raw)
    expect(logged.map(event => event.modelCallId)).toEqual(raw.map(() => 'same'))
    expect(new Set(logged.map(event => event.callId)).size).toBe(raw.length)
    const results = bench.events.filter(event => event.type === 'tool/result')
    expect(results.map(event => event.error?.code)).toEqual([
      undefined,
      undefined,
      'INVALID_ARGS',
      'INVALID_ARGS',
      'INVALID_ARGS',
      undefined,
    ])
  })

  it('run for the session, with the origin of the call', async () => {
    const bench = await openTurnBench()
    let agent: unknown
    bench.ctx.tools.register(
      rawTool('who', {
        execute: async (_args, exec) => {
          agent = exec.agent
          return []
        },
      }),
    )
    await bench.run(scripted([{ type: 'calls', calls: [{ name: 'who', arguments: {}, origin: 'user' }] }]))
    expect(agent).toEqual({ sessionId: 's', cwd: '/w', roots: ['/w'], origin: 'user', turnId: 't1' })
  })

  it('record progress before the result, output as text and content as it is', async () => {
    const bench = await openTurnBench()
    bench.ctx.tools.register(
      rawTool('talks', {
        execute: async (_args, exec) => {
          exec.progress({ output: Buffer.from('你').subarray(0, 1) })
          exec.progress({ output: Buffer.from('你').subarray(1) })
          exec.progress({ content: [text('half')] })
          for (let count = 0; count < 1000; count++) exec.progress({ content: [text(String(count))] })
          return [text('done')]
        },
      }),
    )
    await bench.run(scripted([calls('talks')]))
    expect(outline(bench.events).slice(2, -1)).toEqual([
      'tool/call c1 talks',
      'tool/running c1',
      'tool/progress c1 你',
      'tool/progress c1 content',
      'tool/result c1 ok',
    ])
  })

  it('survive a registry that breaks its promise not to throw', async () => {
    const bench = await openTurnBench()
    const tools = { presentCall: () => undefined, execute: () => Promise.reject(new HarnessError('REFUSED', 'no')) }
    await bench.run(scripted([calls('ok')]), { tools })
    expect(outline(bench.events)).toContain('tool/result c1 REFUSED')
  })
})

describe('a command of a terminal card', () => {
  it.each([
    ['a'.repeat(256 * 1024), 'ok'],
    ['a'.repeat(256 * 1024 + 1), 'INVALID_ARGS'],
    ['é'.repeat(128 * 1024 + 1), 'INVALID_ARGS'],
    ['\u001b'.repeat(200 * 1024), 'INVALID_ARGS'],
  ])('is refused and not run if it cannot be shown whole (%#)', async (title, code) => {
    const bench = await openTurnBench()
    bench.ctx.tools.register(rawTool('terminal', { presentCall: () => ({ card: 'terminal', title }) }))
    await bench.run(scripted([calls('terminal')]))
    expect(outline(bench.events)).toContain(`tool/result c1 ${code}`)
    expect(outline(bench.events).includes('tool/running c1')).toBe(code === 'ok')
  })
})

describe('a plan in the meta of a result', () => {
  const entry = { content: 'x', status: 'pending', priority: 'low' }

  async function planOf(plan: unknown) {
    const bench = await openTurnBench()
    bench.ctx.tools.register(rawTool('plans', { execute: async () => ({ content: [], meta: { plan } as never }) }))
    await bench.run(scripted([calls('plans')]))
    return bench.events.find(event => event.type === 'plan')?.entries
  }

  it('becomes a plan event, of the known keys', async () => {
    expect(await planOf([{ ...entry, more: 1 }])).toEqual([entry])
    expect(await planOf([])).toEqual([])
  })

  it.each([['x'], [{}], [[1]], [[{ ...entry, status: 'done' }]], [[entry, { content: 'x' }]]])(
    'is left out if its shape is wrong (%#)',
    async plan => expect(await planOf(plan)).toBeUndefined(),
  )

  it('is bounded', async () => {
    const plan = await planOf(Array.from({ length: 300 }, () => ({ ...entry, content: 'x'.repeat(5000) })))
    expect(plan).toHaveLength(200)
    expect(plan?.[0]?.content).toHaveLength(1000)
  })
})
