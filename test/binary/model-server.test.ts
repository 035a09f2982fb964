import { expect, it } from 'vitest'
import { checkChat } from '../../fixtures/model-server/check-chat.js'
import { checkMessages } from '../../fixtures/model-server/check-messages.js'
import { cutBytes, cutText, toAsciiJson } from '../../fixtures/model-server/cut.js'

const user = { role: 'user', content: 'go' }
const toolCall = (id: string, args = '{}') => ({ id, type: 'function', function: { name: 'read', arguments: args } })
const asks = (...tool_calls: object[]) => ({ role: 'assistant', content: null, tool_calls })
const answers = (tool_call_id: string) => ({ role: 'tool', tool_call_id, content: 'x' })

it.each([
  ['a result that is missing', [user, asks(toolCall('a'), toolCall('b')), answers('a'), user], /b have no result/],
  ['two results', [user, asks(toolCall('a')), answers('a'), answers('a')], /without its call/],
  ['a result of no call', [user, answers('a')], /without its call/],
  ['a result that never comes', [user, asks(toolCall('a'))], /at the end a/],
  ['arguments that are no object', [user, asks(toolCall('a', '[1]')), answers('a')], /arguments of a/],
  ['an empty answer', [user, { role: 'assistant', content: '' }, user], /empty assistant/],
  ['an answer at the end', [user, { role: 'assistant', content: 'x' }], /last message/],
])('the chat server refuses %s', (_, messages, words) => {
  expect(checkChat({ stream: true, messages }).join()).toMatch(words)
})

const said = (...content: object[]) => ({ role: 'assistant', content })
const told = (...content: object[]) => ({ role: 'user', content })
const text = { type: 'text', text: 'go' }
const use = { type: 'tool_use', id: 'a', name: 'read', input: {} }
const result = { type: 'tool_result', tool_use_id: 'a', content: 'x' }
const thought = { type: 'thinking', thinking: 'Hm', signature: 's' }
const issued = new Map([['a', [thought] as const]]) as Parameters<typeof checkMessages>[1]

it.each([
  ['a missing result', [told(text), said(thought, use), told(text)], /results of \[\] for calls \[a\]/],
  ['a result of no call', [told(result)], /results of \[a\]/],
  ['a result behind a text', [told(text), said(thought, use), told(text, result)], /results after others/],
  ['two messages of one role', [told(text), told(text)], /role user/],
  ['a thought that is not given back', [told(text), said(use), told(result)], /thinking came back/],
  [
    'a thought that was changed',
    [told(text), said({ ...thought, thinking: '' }, use), told(result)],
    /thinking came back/,
  ],
  ['a thought at the end', [told(text), said(thought), told(text)], /thinking at the end/],
  ['a blank text', [told({ type: 'text', text: ' ' })], /blank/],
  ['input that is no object', [told(text), said(thought, { ...use, input: [] }), told(result)], /input of a/],
])('the messages server refuses %s', (_, messages, words) => {
  expect(checkMessages({ stream: true, max_tokens: 1, messages }, issued).join()).toMatch(words)
})

it('sound conversations are refused by neither', () => {
  const chat = [
    user,
    asks(toolCall('a'), toolCall('b')),
    answers('b'),
    answers('a'),
    { role: 'assistant', content: 'x' },
    user,
  ]
  expect(checkChat({ stream: true, messages: chat })).toEqual([])
  const messages = [told(text), said(thought, text, use), told(result, text)]
  expect(checkMessages({ stream: true, max_tokens: 1, messages }, issued)).toEqual([])
})

it('texts are cut inside escapes and bytes inside characters, and nothing is lost', () => {
  const whole = JSON.stringify({ text: 'größe\n"日本語" 🎉\\'.repeat(50) })
  const pieces = cutText(whole)
  expect(pieces.join('')).toBe(whole)
  expect(pieces.some(piece => piece.endsWith('\\'))).toBe(true)
  expect(pieces.every(piece => Buffer.from(piece).toString('utf8') === piece)).toBe(true)
  const frame = `data: ${whole}\n\n`
  const parts = cutBytes(frame)
  expect(Buffer.concat(parts).toString('utf8')).toBe(frame)
  expect(parts.some(part => Buffer.from(part).toString('utf8').endsWith('\uFFFD'))).toBe(true)
  expect(JSON.parse(toAsciiJson(whole))).toBe(whole)
})
