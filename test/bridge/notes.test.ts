import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../../src/session/events.js'
import { callEvents, PLAIN, runSession } from './run-session.js'

const say = (messageId: string, text: string): SessionEvent => ({ type: 'assistant/message', messageId, text })
const note = (messageId: string, text: string): SessionEvent => ({ type: 'note', messageId, text })

/** The thread as a client shows it that joins neighbouring messages: one string for each run of texts. */
async function threadOf(events: SessionEvent[]): Promise<string[]> {
  const runs = ['']
  for (const update of await runSession(events, PLAIN, 'live')) {
    if (update.sessionUpdate === 'agent_message_chunk') {
      const text = update.content.type === 'text' ? update.content.text : ''
      runs.push(`${runs.pop()}${text}`)
    } else if (update.sessionUpdate !== 'tool_call_update') runs.push('')
  }
  return runs
}

describe('a line of Deckhand in the thread', () => {
  it.each([
    ['behind an answer', [say('a', 'Half an '), say('a', 'answer'), note('n', 'It broke off.')]],
    ['behind one that ends in a newline', [say('a', 'Half an answer\n'), note('n', 'It broke off.')]],
    [
      'behind one that ends in a blank line',
      [say('a', 'Half an answer\n'), say('a', '\n'), note('n', 'It broke off.')],
    ],
    ['that comes in pieces', [say('a', 'Half an answer'), note('n', 'It broke'), note('n', ' off.')]],
  ])('%s is a paragraph of its own', async (_where, events) => {
    expect(await threadOf(events)).toEqual(['Half an answer\n\nIt broke off.'])
  })

  it('is apart from the answer that goes on behind it, and from another line', async () => {
    const events = [say('a', 'One. '), note('n', 'Remembered.'), note('m', 'Told.\n\n'), say('a', 'Two.')]
    expect(await threadOf(events)).toEqual(['One. \n\nRemembered.\n\nTold.\n\nTwo.'])
  })

  it('begins at once where a card or a thought stands before it, also after an update of an earlier card', async () => {
    const [call, ...others] = callEvents({})
    const thought: SessionEvent = { type: 'assistant/thought', messageId: 't', text: 'hm' }
    expect(await threadOf([say('a', 'One.'), call!, note('n', 'Told.'), ...others, say('b', 'Two.')])).toEqual([
      'One.',
      'Told.\n\nTwo.',
    ])
    expect(await threadOf([say('a', 'One.'), thought, note('n', 'Told.')])).toEqual(['One.', 'Told.'])
  })

  it('about a new try is apart from the thought before it', async () => {
    const think = (messageId: string, text: string): SessionEvent => ({ type: 'assistant/thought', messageId, text })
    const thoughts = await runSession([think('t', 'Let me '), think('t', 'see'), think('n', 'Trying again.\n')], PLAIN)
    const texts = thoughts.map(update => (update as { content: { text: string } }).content.text)
    expect(texts.join('')).toBe('Let me see\n\nTrying again.\n')
  })

  it('leaves the blocks of one answer as the model sent them', async () => {
    expect(await threadOf([say('a', 'un'), say('b', 'broken')])).toEqual(['unbroken'])
  })
})
