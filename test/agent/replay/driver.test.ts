import { describe, expect, it } from 'vitest'
import { createReplayDriver, type Driver } from '../../../src/agent/index.js'
import type { SessionEvent } from '../../../src/session/index.js'
import { calls, openTurnBench, outline, scripted } from '../turn-support.js'

const start = (id: string) => ({ type: 'call-start', id, name: 'ok', arguments: {} }) as const

/** Events of two turns as they were recorded live. */
async function record(): Promise<SessionEvent[]> {
  const bench = await openTurnBench()
  await bench.run(
    scripted([
      { type: 'thought', messageId: 'm0', text: 'hm' },
      { type: 'text', messageId: 'm1', text: 'first, ' },
      { type: 'text', messageId: 'm1', text: 'both' },
      start('m-ok'),
      calls('ok', 'fails'),
      calls('ok'),
    ]),
  )
  await bench.run(scripted([{ type: 'text', messageId: 'm2', text: 'second' }, start('never')], 'max_tokens'))
  return bench.events
}

async function play(driver: Driver, sessionId = 's') {
  const bench = await openTurnBench()
  const agent = { sessionId, cwd: '/w', roots: ['/w'] }
  const outcome = await bench.run(() => expect.fail('the script is not run'), { driver, agent })
  return { events: bench.events, outcome }
}

describe('the replay driver', () => {
  it('plays one recorded turn for each prompt, as it was', async () => {
    const recorded = await record()
    const driver = createReplayDriver(recorded)
    const first = await play(driver)
    const second = await play(driver)
    // Each bench counts its calls from one.
    const turns = outline(recorded).join('\n').split('turn/start\n').slice(1)
    expect(outline(first.events).slice(1)).toEqual(turns[0]?.trim().split('\n'))
    expect(outline(second.events).slice(2, -1)).toEqual([
      'assistant/message second',
      'tool/start c1 ok',
      'tool/result c1 ABORTED_BEFORE_DISPATCH',
    ])
    expect(second.outcome).toEqual({ stopReason: 'end_turn' })
  })

  it('runs the calls anew: results are those of the tools there are now', async () => {
    const driver = createReplayDriver([
      { type: 'turn/start', turnId: 't' },
      { type: 'tool/call', callId: 'x', name: 'ok', arguments: '{}', origin: 'model' },
      { type: 'tool/result', callId: 'x', content: [], isError: true, error: { name: 'Error', code: 'OLD' } },
    ])
    expect(outline((await play(driver)).events)).toContain('tool/result c1 ok')
  })

  it('counts the prompts of each session for itself, and says when there is no more', async () => {
    const driver = createReplayDriver(await record())
    await play(driver, 'a')
    await play(driver, 'a')
    expect(outline((await play(driver, 'b')).events)).toContain('assistant/message both')
    expect(outline((await play(driver, 'a')).events)).toContain(
      'assistant/message The recording is over: it has 2 turns.',
    )
  })

  it('gives messages ids of their own, the same for the pieces of one', async () => {
    const driver = createReplayDriver(await record())
    const { events } = await play(driver)
    const ids = events.flatMap(event =>
      'messageId' in event && event.type !== 'user/message' ? [event.messageId] : [],
    )
    expect(new Set(ids).size).toBe(2)
    expect(ids[1]).toBe(ids[2])
    expect(ids).not.toContain('m1')
  })

  it('stops in a pause when the turn is cancelled (B53)', async () => {
    const driver = createReplayDriver(await record(), { pauseMs: 600_000 })
    const bench = await openTurnBench()
    setImmediate(bench.cancel)
    const outcome = await bench.run(() => expect.fail('the script is not run'), { driver })
    expect(outcome).toEqual({ stopReason: 'cancelled' })
  })
})
