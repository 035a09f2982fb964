import { describe, expect, it } from 'vitest'
import type { ToolExecutionResult } from '../../src/registry/index.js'
import { rawTool } from '../registry/support.js'
import { calls, openTurnBench, outline, scripted } from './turn-support.js'

/** Tools that say when they start and end: `look` is safe with others, `change` is not. */
async function open() {
  const bench = await openTurnBench()
  const log: string[] = []
  const busy = async (name: string) => {
    log.push(`${name} starts`)
    for (let task = 0; task < 3; task++) await new Promise(setImmediate)
    log.push(`${name} ends`)
    return []
  }
  for (const name of ['look1', 'look2', 'look3']) {
    bench.ctx.tools.register(rawTool(name, { isConcurrencySafe: () => true, execute: () => busy(name) }))
  }
  for (const name of ['change1', 'change2']) bench.ctx.tools.register(rawTool(name, { execute: () => busy(name) }))
  return { bench, log }
}

describe('calls of one step', () => {
  it('that are safe together run together, others alone, in the order of the calls', async () => {
    const { bench, log } = await open()
    await bench.run(scripted([calls('look1', 'look2', 'change1', 'change2', 'look3')]))
    expect(log).toEqual([
      'look1 starts',
      'look2 starts',
      'look1 ends',
      'look2 ends',
      'change1 starts',
      'change1 ends',
      'change2 starts',
      'change2 ends',
      'look3 starts',
      'look3 ends',
    ])
  })

  it('are all announced before the first runs, and give their results in their order', async () => {
    const { bench } = await open()
    bench.ctx.tools.register(
      rawTool('slow', {
        isConcurrencySafe: () => true,
        execute: async () => {
          for (let task = 0; task < 9; task++) await new Promise(setImmediate)
          return []
        },
      }),
    )
    const received: (ToolExecutionResult[] | undefined)[] = []
    await bench.run(scripted([calls('slow', 'look1', 'fails')], 'end_turn', received))
    const lines = outline(bench.events).slice(2, -1)
    expect(lines.slice(0, 3)).toEqual(['tool/call c1 slow', 'tool/call c2 look1', 'tool/call c3 fails'])
    expect(lines.indexOf('tool/result c2 ok')).toBeLessThan(lines.indexOf('tool/result c1 ok'))
    expect(received[0]?.map(({ callId }) => callId)).toEqual(['c1', 'c2', 'c3'])
  })

  it('have one result each when the turn is cancelled among them (B51)', async () => {
    const { bench } = await open()
    bench.ctx.tools.register(
      rawTool('hangs2', {
        isConcurrencySafe: () => true,
        execute: (_args, exec) =>
          new Promise((_, reject) => exec.signal.addEventListener('abort', () => reject(exec.signal.reason))),
      }),
    )
    const running = bench.run(scripted([calls('hangs2', 'hangs2', 'change1')]), {
      emit: event => {
        bench.events.push(event)
        if (event.type === 'tool/running' && event.callId === 'c2') setImmediate(bench.cancel)
      },
    })
    expect(await running).toEqual({ stopReason: 'cancelled' })
    expect(outline(bench.events).filter(line => line.startsWith('tool/result'))).toEqual([
      'tool/result c1 ABORTED',
      'tool/result c2 ABORTED',
      'tool/result c3 ABORTED_BEFORE_DISPATCH',
    ])
  })
})
