import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { text } from '../../src/cards/index.js'
import type { SessionEvent } from '../../src/session/events.js'
import { History, type HistoryEntry, toHistory } from '../../src/session/index.js'
import { assistantSays, logFixture, readAll, toolCall, toolResult, turnEnd, turnStart, userSays } from './support.js'

/** One short line for each entry. */
function sketch(entries: HistoryEntry[]): string[] {
  return entries.map(entry => {
    if (entry.role === 'user') return `user: ${entry.content.map(block => ('text' in block ? block.text : '?')).join()}`
    const parts = entry.role === 'tool' ? entry.results : entry.parts
    return `${entry.role}: ${parts.map(part => ('callId' in part ? part.callId : part.text)).join(' ')}`
  })
}

const compaction: SessionEvent = { type: 'compaction', summary: 'They said hi.' }

describe('toHistory', () => {
  it('joins the pieces of a message, and puts the results of parallel calls after them in their order', async () => {
    const events = [
      turnStart,
      userSays('hi'),
      { type: 'assistant/thought', messageId: 'm0', text: 'hm' } as const,
      assistantSays('I lo'),
      assistantSays('ok.'),
      toolCall('c1'),
      toolCall('c2'),
      toolResult('c2'),
      toolResult('c1'),
      toolCall('c3'),
      toolResult('c3'),
      assistantSays('', 'm2'),
      assistantSays('Done.', 'm2'),
      turnEnd,
    ]
    expect(sketch(toHistory(events))).toEqual([
      'user: hi',
      'assistant: hm I look. c1 c2',
      'tool: c1 c2',
      'assistant: c3',
      'tool: c3',
      'assistant: Done.',
    ])
  })

  it('keeps text that comes while a call is open with the call', () => {
    const events = [userSays('hi'), toolCall('c1'), assistantSays('wait'), toolResult('c1'), assistantSays('so', 'm2')]
    expect(sketch(toHistory(events))).toEqual(['user: hi', 'assistant: c1 wait', 'tool: c1', 'assistant: so'])
  })

  it('gives a call without a result an interrupted one, and drops the late one (B51)', () => {
    const events = [userSays('hi'), toolCall('c1'), toolCall('c2'), toolResult('c2'), userSays('again')]
    const history = toHistory([...events, toolResult('c1', 'late')])
    expect(sketch(history)).toEqual(['user: hi', 'assistant: c1 c2', 'tool: c1 c2', 'user: again'])
    expect(history[2]).toEqual({
      role: 'tool',
      results: [
        { callId: 'c1', name: 'look', content: [text('[interrupted]')], isError: true },
        { callId: 'c2', name: 'look', content: [text('done')], isError: false },
      ],
    })
  })

  it('drops results without a call, second results and repeated calls (B51)', () => {
    const events = [userSays('hi'), toolResult('c0'), toolCall('c1'), toolCall('c1'), toolResult('c1')]
    expect(sketch(toHistory([...events, toolResult('c1', 'twice'), toolCall('c1')]))).toEqual([
      'user: hi',
      'assistant: c1',
      'tool: c1',
    ])
  })

  it('tells what the user ran by hand as the user, bounded', () => {
    const long = `${'\ud83d\ude00'.repeat(20_000)}end`
    const failed = toolResult('c2', long, true)
    const history = toHistory([
      userSays('!ls'),
      toolCall('c1', 'user'),
      toolResult('c1'),
      toolCall('c2', 'user'),
      failed,
    ])
    expect(sketch(history).slice(0, 2)).toEqual([
      'user: !ls',
      'user: I ran the tool look with {"at":"c1"}\nIt succeeded, with this result:\ndone',
    ])
    const last = sketch(history)[2] ?? ''
    expect(last).toMatch(/^user: I ran the tool look with .*\nIt failed, with this result:\n/)
    expect(last).toMatch(/\n\[\d+ characters left out\]\n.*end$/u)
    expect(last.length).toBeLessThan(17_000)
    expect(last).not.toMatch(/\p{Surrogate}/u)
  })

  it('starts from the summary after a compaction', () => {
    const events = [userSays('hi'), toolCall('c1'), compaction, toolResult('c1'), userSays('go on')]
    expect(sketch(toHistory(events))).toEqual([
      'user: Summary of the conversation so far:\n\nThey said hi.',
      'user: go on',
    ])
  })

  it('needs no cards: what a log holds of a call cut off by a crash is enough (B51)', async () => {
    const { events, closing } = await readAll(logFixture('open-call'))
    const expected = ['user: build it', 'assistant: c1', 'tool: c1']
    expect(sketch(toHistory(events))).toEqual(expected)
    expect(sketch(toHistory([...events, ...closing()]))).toEqual(expected)
  })

  it('can be asked at any time, and an answer stays as it was', () => {
    const history = new History()
    for (const event of [userSays('hi'), assistantSays('a')]) history.add(event)
    const early = history.entries()
    for (const event of [assistantSays('b'), toolCall('c1')]) history.add(event)
    expect(sketch(early)).toEqual(['user: hi', 'assistant: a'])
    expect(sketch(history.entries())).toEqual(['user: hi', 'assistant: ab c1', 'tool: c1'])
    history.add(toolResult('c1', 'real'))
    expect(history.entries()[2]).toMatchObject({ results: [{ content: [text('real')] }] })
  })

  it('pairs each call with exactly one result, right after it, for any events (B51)', () => {
    const callId = fc.constantFrom('c1', 'c2', 'c3', 'c4')
    const event = fc.oneof(
      fc.constantFrom(turnStart, turnEnd, userSays('u'), assistantSays('a'), assistantSays('b', 'm2'), compaction),
      callId.map(id => toolCall(id)),
      callId.map(id => toolCall(id, 'user')),
      callId.map(id => toolResult(id)),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), events => {
        const entries = toHistory(events)
        const seen: string[] = []
        for (const [index, entry] of entries.entries()) {
          const next = entries[index + 1]
          const calls = entry.role === 'assistant' ? entry.parts.filter(part => part.type === 'call') : []
          const results = next?.role === 'tool' ? next.results : []
          expect(results.map(result => result.callId)).toEqual(calls.map(call => call.callId))
          if (entry.role !== 'user') expect(entry.role === 'tool' ? entry.results : entry.parts).not.toEqual([])
          seen.push(...calls.map(call => call.callId))
        }
        expect(new Set(seen).size).toBe(seen.length)
        expect(entries[0]?.role === 'tool').toBe(false)
      }),
    )
  })
})
