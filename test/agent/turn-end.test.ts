import { describe, expect, it } from 'vitest'
import { HarnessError } from '../../src/registry/index.js'
import { deferred, rawTool } from '../registry/support.js'
import { calls, openTurnBench, outline, type Script, scripted } from './turn-support.js'

const start = (id: string, name = 'ok') => ({ type: 'call-start', id, name, arguments: {} }) as const

describe('a driver that fails', () => {
  it('ends the turn with an error value and a readable message, and open calls are closed', async () => {
    const bench = await openTurnBench()
    const outcome = await bench.run(async function* (): Script {
      yield start('m1')
      throw new TypeError('fetch failed\n    at secret.ts:1')
    })
    expect(outcome).toMatchObject({ stopReason: 'end_turn', error: { code: 'DRIVER_FAILED' } })
    expect(outline(bench.events).slice(2)).toEqual([
      'tool/start c1 ok',
      'note This turn ended early, because something in the agent failed: fetch failed',
      'tool/result c1 ABORTED_BEFORE_DISPATCH',
      'turn/end end_turn',
    ])
    expect(bench.events.at(-1)).toMatchObject({ error: outcome.error?.message })
  })

  it('keeps the code and words of an error that was made for the reader', async () => {
    const bench = await openTurnBench()
    const error = new HarnessError('TIMED_OUT', 'The provider did not answer.')
    const outcome = await bench.run(() => {
      throw error
    })
    expect(outcome).toEqual({ stopReason: 'end_turn', error })
    expect(outline(bench.events)).toContain('note The provider did not answer.')
  })

  it('is closed on every path', async () => {
    for (const end of ['return', 'throw', 'cancel', 'log'] as const) {
      const bench = await openTurnBench()
      let closed = 0
      await bench.run(
        async function* (): Script {
          try {
            yield { type: 'text', messageId: 'm', text: end }
            if (end === 'throw') throw new Error('no')
            return 'end_turn'
          } finally {
            closed++
          }
        },
        {
          emit: event => {
            if (event.type !== 'assistant/message') return
            if (end === 'cancel') bench.cancel()
            if (end === 'log') throw new HarnessError('STATE_DIR_FAILED', 'no disk')
          },
        },
      )
      expect([end, closed]).toEqual([end, 1])
    }
  })
})

describe('a cancelled turn', () => {
  it('stops the running call, closes the others, and asks the driver for nothing more (B53)', async () => {
    const bench = await openTurnBench()
    const running = bench.run(scripted([calls('hangs', 'ok'), { type: 'text', messageId: 'm', text: 'late' }]), {
      emit: event => {
        bench.events.push(event)
        if (event.type === 'tool/running') setImmediate(bench.cancel)
      },
    })
    expect(await running).toEqual({ stopReason: 'cancelled' })
    expect(outline(bench.events).slice(2)).toEqual([
      'tool/call c1 hangs',
      'tool/call c2 ok',
      'tool/running c1',
      'tool/result c1 ABORTED',
      'tool/result c2 ABORTED_BEFORE_DISPATCH',
      'turn/end cancelled',
    ])
  })

  it('runs nothing if it was cancelled before it began (B54)', async () => {
    const bench = await openTurnBench()
    bench.cancel()
    bench.cancel()
    let asked = false
    const outcome = await bench.run(async function* (): Script {
      asked = true
      yield { type: 'text', messageId: 'm', text: 'late' }
      return 'end_turn'
    })
    expect(outcome).toEqual({ stopReason: 'cancelled' })
    expect(asked).toBe(false)
    expect(outline(bench.events)).toEqual(['turn/start', 'user/message', 'turn/end cancelled'])
  })

  it('abandons a driver that hangs, and takes no notice of what it does later', async () => {
    const bench = await openTurnBench()
    const late = deferred()
    const running = bench.run(async function* (): Script {
      await late.promise
      yield { type: 'text', messageId: 'm', text: 'late' }
      throw new Error('later still')
    })
    setImmediate(bench.cancel)
    expect(await running).toEqual({ stopReason: 'cancelled' })
    late.resolve()
    await new Promise(setImmediate)
    expect(outline(bench.events)).toEqual(['turn/start', 'user/message', 'turn/end cancelled'])
  })

  it('does not wait for a driver whose clean-up hangs', async () => {
    const bench = await openTurnBench()
    const outcome = await bench.run(
      async function* (): Script {
        try {
          yield calls('ok')
          return 'end_turn'
        } finally {
          await new Promise(() => {})
        }
      },
      { emit: event => void (event.type === 'tool/call' && bench.cancel()) },
    )
    expect(outcome).toEqual({ stopReason: 'cancelled' })
  })

  it('is cancelled also if the driver throws, goes on or ends because of it', async () => {
    for (const answers of ['throws', 'goes on', 'ends']) {
      const bench = await openTurnBench()
      const running = bench.run(async function* (signal): Script {
        await new Promise(resolve => signal.addEventListener('abort', resolve))
        if (answers === 'throws') throw signal.reason
        if (answers === 'goes on') yield { type: 'text', messageId: 'm', text: 'late' }
        return 'end_turn'
      })
      setImmediate(bench.cancel)
      expect(await running).toEqual({ stopReason: 'cancelled' })
      expect(outline(bench.events)).toEqual(['turn/start', 'user/message', 'turn/end cancelled'])
    }
  })
})

describe('a call whose arguments stream', () => {
  it('has one id from its start to its result', async () => {
    const bench = await openTurnBench()
    await bench.run(scripted([start('m-ok'), start('m-ok'), calls('ok'), calls('ok')]))
    expect(outline(bench.events).slice(2, -1)).toEqual([
      'tool/start c1 ok',
      'tool/start c1 ok',
      'tool/call c1 ok',
      'tool/running c1',
      'tool/result c1 ok',
      'tool/call c2 ok',
      'tool/running c2',
      'tool/result c2 ok',
    ])
  })

  it('is closed if it is not among the calls of the step, or the turn ends first (B22)', async () => {
    const bench = await openTurnBench()
    await bench.run(scripted([start('m-ok'), start('other'), calls('ok'), start('last')]))
    expect(outline(bench.events).slice(2, -1)).toEqual([
      'tool/start c1 ok',
      'tool/start c2 ok',
      'tool/result c2 ABORTED_BEFORE_DISPATCH',
      'tool/call c1 ok',
      'tool/running c1',
      'tool/result c1 ok',
      'tool/start c3 ok',
      'tool/result c3 ABORTED_BEFORE_DISPATCH',
    ])
  })
})

describe('a turn that cannot be recorded', () => {
  it.each(['turn/start', 'user/message', 'tool/call'] as const)('runs nothing after a failed %s', async type => {
    const bench = await openTurnBench()
    let ran = false
    bench.ctx.tools.register(
      rawTool('marks', {
        execute: async () => {
          ran = true
          return []
        },
      }),
    )
    const error = new HarnessError('STATE_DIR_FAILED', 'The state directory /s cannot be written.')
    const tried: string[] = []
    const outcome = await bench.run(scripted([calls('marks', 'ok')]), {
      emit: event => {
        tried.push(event.type)
        if (event.type === type) throw error
      },
    })
    expect(outcome).toEqual({ stopReason: 'end_turn', error })
    expect(ran).toBe(false)
    expect(tried.slice(tried.indexOf(type))).toEqual([type, 'turn/end'])
  })

  it('stops the call that runs', async () => {
    const bench = await openTurnBench()
    const outcome = await bench.run(scripted([calls('hangs')]), {
      emit: event => {
        if (event.type === 'tool/running') throw new Error('disk full')
      },
    })
    expect(outcome).toMatchObject({ stopReason: 'end_turn', error: { code: 'LOG_FAILED' } })
  })

  it('says so also if only its end could not be recorded', async () => {
    const bench = await openTurnBench()
    const outcome = await bench.run(scripted([]), {
      emit: event => (event.type === 'turn/end' ? Promise.reject(new Error('disk full')) : undefined),
    })
    expect(outcome).toMatchObject({ stopReason: 'end_turn', error: { code: 'LOG_FAILED' } })
  })
})
