import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Conversation } from '../../../src/agent/model/conversation.js'
import { toThoughtMeta } from '../../../src/agent/model/thought-meta.js'
import { type JsonValue, text } from '../../../src/cards/index.js'
import { History, type SessionEvent } from '../../../src/session/index.js'
import { assistantSays, toolCall, toolResult, turnEnd, userSays } from '../../session/support.js'
import { sketch } from './support.js'

const MODEL = 'test/model'

function conversationOf(...events: SessionEvent[]): { history: History; conversation: Conversation } {
  const history = new History()
  for (const event of events) history.add(event)
  return { history, conversation: new Conversation(history) }
}

function promptOf(...events: SessionEvent[]) {
  return conversationOf(...events).conversation.toPrompt(MODEL)
}

function thought(words: string, model?: string, options?: JsonValue): SessionEvent[] {
  return [
    { type: 'assistant/thought', messageId: `m-${words}`, text: words },
    ...(model
      ? [{ type: 'assistant/thought' as const, messageId: `m-${words}`, text: '', meta: toThoughtMeta(model, options) }]
      : []),
  ]
}

const madeCall = (callId: string, args: JsonValue, modelCallId?: string): SessionEvent => ({
  type: 'tool/call',
  callId,
  name: 'look',
  arguments: args,
  origin: 'model',
  ...(modelCallId ? { modelCallId } : {}),
})

describe('a conversation', () => {
  it('gives a thought back to the model that had it, with what its provider wants, and to no other', () => {
    const options = { anthropic: { signature: 's1' } }
    const events = [
      userSays('hi'),
      ...thought('mine', MODEL, options),
      ...thought('foreign', 'other/model', {}),
      assistantSays('ok'),
    ]
    const prompt = promptOf(...events)
    expect(sketch({ prompt })).toEqual(['user: hi', 'assistant: <mine> ok'])
    expect(prompt[1]?.content[0]).toEqual({ type: 'reasoning', text: 'mine', providerOptions: options })
  })

  it('drops a thought that was cut off, and keeps one that is all data', () => {
    const redacted = {
      type: 'assistant/thought',
      messageId: 'r',
      text: '',
      meta: toThoughtMeta(MODEL, { anthropic: { redactedData: 'x' } }),
    } as const
    const prompt = promptOf(userSays('hi'), ...thought('cut'), redacted, madeCall('c1', {}), toolResult('c1'))
    expect(sketch({ prompt })).toEqual(['user: hi', 'assistant: <> look(c1)', 'tool: c1=text'])
    expect(sketch({ prompt: promptOf(userSays('hi'), ...thought('cut'), userSays('again')) })).toEqual([
      'user: hi \n\nagain',
    ])
  })

  it('puts messages of the user that follow each other together', () => {
    const prompt = promptOf(userSays('!ls'), toolCall('c1', 'user'), toolResult('c1'), userSays('why?'))
    expect(prompt).toHaveLength(1)
    expect(sketch({ prompt })[0]).toMatch(/^user: !ls \n\nI ran the tool look [\s\S]*done \n\nwhy\?$/)
  })

  it.each<[JsonValue, unknown]>([
    ['{"a":1}', { a: 1 }],
    [{ a: 1 }, { a: 1 }],
    ['', {}],
    ['null', {}],
    [null, {}],
    ['5', { invalid_arguments: '5' }],
    ['[1]', { invalid_arguments: '[1]' }],
    ['{"a":', { invalid_arguments: '{"a":' }],
    [7, { invalid_arguments: '7' }],
  ])('sends arguments %j back as an object (B80)', (args, input) => {
    const [, assistant] = promptOf(userSays('hi'), madeCall('c1', args), toolResult('c1'))
    expect(assistant?.content[0]).toMatchObject({ type: 'tool-call', input })
  })

  it("uses the model's own ids while they are unique and of a usual form", () => {
    const prompt = promptOf(
      userSays('hi'),
      madeCall('c1', {}, 'call_1'),
      toolResult('c1'),
      madeCall('c2', {}, 'call_1'),
      madeCall('c3', {}, 'odd id!'),
      toolResult('c2'),
      toolResult('c3'),
    )
    expect(sketch({ prompt })).toEqual([
      'user: hi',
      'assistant: look(call_1)',
      'tool: call_1=text',
      'assistant: look(c2) look(c3)',
      'tool: c2=text c3=text',
    ])
  })

  it('keeps images that models take, and puts a note in the place of others', () => {
    const image = (mimeType: string, data = 'AAAA') => ({ type: 'image', mimeType, data }) as const
    const result: SessionEvent = {
      type: 'tool/result',
      callId: 'c1',
      content: [text('seen'), image('image/png')],
      isError: false,
    }
    const prompt = promptOf(
      {
        type: 'user/message',
        messageId: 'u',
        content: [image('image/png'), image('image/tiff'), image('image/png', 'A'.repeat(5_000_004))],
      },
      madeCall('c1', {}),
      result,
    )
    expect(sketch({ prompt })[0]).toMatch(
      /^user: \[image\/png\] \[An image \(image\/tiff.* \[An image \(image\/png, 3\.6 MiB\)/,
    )
    expect(prompt[2]?.content[0]).toMatchObject({
      output: { type: 'content', value: [{ type: 'text' }, { type: 'image-data', mediaType: 'image/png' }] },
    })
  })

  it('has nothing that providers refuse: no blank text, no odd name, no empty result', () => {
    const prompt = promptOf(
      userSays('  '),
      assistantSays(' \n'),
      { ...madeCall('c1', {}), name: 'no such tool: x' } as SessionEvent,
      toolResult('c1', '', true),
    )
    expect(sketch({ prompt })).toEqual([
      'user: (an empty message)',
      'assistant: no_such_tool__x(c1)',
      'tool: c1=error-text',
    ])
    expect(prompt[2]?.content[0]).toMatchObject({ output: { value: '(no output)' } })
  })

  it('starts anew from a compaction', () => {
    const { history, conversation } = conversationOf(userSays('hi'), assistantSays('a'), turnEnd, userSays('now'))
    conversation.toPrompt(MODEL)
    history.add({ type: 'compaction', summary: 'S', keepsPrompt: true })
    expect(sketch({ prompt: conversation.toPrompt(MODEL) })).toEqual([
      'user: Summary of the conversation so far:\n\nS \n\nnow',
    ])
  })

  it('is the same asked at each step as asked once, and pairs each call with one result (B51)', () => {
    const callId = fc.constantFrom('c1', 'c2', 'c3', 'c4', 'c5')
    const event = fc.oneof(
      fc.constantFrom(turnEnd, userSays('u'), assistantSays('a'), assistantSays('b', 'm2'), ...thought('t', MODEL)),
      callId.map(id => madeCall(id, {}, 'm')),
      callId.map(id => toolResult(id)),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), events => {
        const history = new History()
        const conversation = new Conversation(history)
        for (const next of events) {
          history.add(next)
          const prompt = conversation.toPrompt(MODEL)
          expect(prompt).toEqual(new Conversation(history).toPrompt(MODEL))
          const calls = prompt.flatMap(message =>
            message.role === 'assistant'
              ? message.content.flatMap(part => ('toolCallId' in part ? [part.toolCallId] : []))
              : [],
          )
          const results = prompt.flatMap(message =>
            message.role === 'tool'
              ? message.content.flatMap(part => ('toolCallId' in part ? [part.toolCallId] : []))
              : [],
          )
          expect(results).toEqual(calls)
        }
      }),
    )
  })
})
