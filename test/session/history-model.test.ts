import { describe, expect, it } from 'vitest'
import { text } from '../../src/cards/index.js'
import { History, type SessionEvent, toHistory } from '../../src/session/index.js'
import { assistantSays, toolCall, toolResult, turnEnd, userSays } from './support.js'

const thought = (words: string, meta?: string): SessionEvent => ({
  type: 'assistant/thought',
  messageId: 'm0',
  text: words,
  ...(meta === undefined ? {} : { meta }),
})

function grow(...events: SessionEvent[]): History {
  const history = new History()
  for (const event of events) history.add(event)
  return history
}

describe('the history for a model', () => {
  it('keeps what closes a thought with it, also where the thought has no words', () => {
    const [, assistant] = toHistory([userSays('hi'), thought('a'), thought('b'), thought('', 'sig')])
    expect(assistant).toEqual({
      role: 'assistant',
      parts: [{ type: 'thought', messageId: 'm0', text: 'ab', meta: 'sig' }],
    })
    expect(toHistory([thought('', 'redacted')])).toEqual([
      { role: 'assistant', parts: [{ type: 'thought', messageId: 'm0', text: '', meta: 'redacted' }] },
    ])
    expect(toHistory([thought('')])).toEqual([])
  })

  it('has context as words of the user', () => {
    expect(toHistory([userSays('/x'), { type: 'context', content: [text('body')] }])).toEqual([
      { role: 'user', content: [text('/x')] },
      { role: 'user', content: [text('body')] },
    ])
  })

  it('only grows at its end between compactions', () => {
    const history = grow(userSays('a'), assistantSays('b'), turnEnd)
    const before = [...history.settled]
    const { generation } = history
    for (const event of [userSays('c'), toolCall('c1'), toolResult('c1'), assistantSays('d'), turnEnd])
      history.add(event)
    expect(history.settled.slice(0, before.length)).toEqual(before)
    expect(history.generation).toBe(generation)
    history.add({ type: 'compaction', summary: 's' })
    expect(history.generation).not.toBe(generation)
  })

  it('keeps the prompt that a compaction says to keep, with the context behind it', () => {
    const history = grow(userSays('old'), assistantSays('x'), turnEnd, userSays('/skill'), {
      type: 'context',
      content: [text('body')],
    })
    history.add({ type: 'compaction', summary: 's', keepsPrompt: true })
    expect(history.settled.slice(1)).toEqual([
      { role: 'user', content: [text('/skill')] },
      { role: 'user', content: [text('body')] },
    ])
  })

  it('loses long results before the call that an elision names, and no others', () => {
    const history = grow(
      userSays('go'),
      toolCall('c1'),
      toolResult('c1', 'x'.repeat(50)),
      toolCall('c2'),
      toolResult('c2', 'short'),
      toolCall('c3'),
      toolResult('c3', 'y'.repeat(50)),
    )
    history.add({ type: 'elision', before: 'c3', maxChars: 20 })
    const results = history.entries().flatMap(entry => (entry.role === 'tool' ? entry.results : []))
    expect(results.map(({ content }) => (content[0]?.type === 'text' ? content[0].text : ''))).toEqual([
      '[This result was left out to save room: 50 characters.]',
      'short',
      'y'.repeat(50),
    ])
  })

  it('knows what was used and spent last; a shorter history is not counted yet', () => {
    const history = grow({ type: 'usage', used: 10, size: 100, cost: 1 }, { type: 'usage', used: 20 })
    expect([history.used, history.cost]).toEqual([20, 1])
    history.add({ type: 'compaction', summary: 's' })
    expect([history.used, history.cost]).toEqual([undefined, 1])
  })
})
