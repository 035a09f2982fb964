import { expect, test } from 'vitest'
import type { UserAnswer, UserQuestion } from '../../../src/registry/types.js'
import { plainServer, startBench, textOf } from './support.js'

async function ask(schema: object, answer: UserAnswer) {
  const bench = await startBench()
  const asked: UserQuestion[] = []
  bench.ctx.provide('questioner', {
    ask: async (question: UserQuestion) => {
      asked.push(question)
      return answer
    },
  })
  bench.mcp.open('s', [process.cwd()], [plainServer()])
  await bench.settled()
  const result = await bench.call('mcp__plain__ask', { schema })
  return { asked, answered: JSON.parse(textOf(result)) as { result?: object; error?: object }, log: bench.log }
}

const form = (properties: object) => ({ type: 'object', properties })

test.each([
  ['text', { type: 'string', title: 'Name' }, 'Ada', undefined, 'Ada'],
  ['a choice', { type: 'string', enum: ['a', 'b'] }, 'b', ['a', 'b'], 'b'],
  ['a named choice', { type: 'string', oneOf: [{ const: 'x', title: 'Ex' }] }, 'Ex', ['Ex'], 'x'],
  ['yes or no', { type: 'boolean' }, 'No', ['Yes', 'No'], false],
  ['a number', { type: 'integer' }, '42', undefined, 42],
])('a server asks the user for %s in the middle of a call', async (_what, field, answer, options, value) => {
  const { asked, answered } = await ask(form({ field }), { answer })
  expect(asked[0]).toMatchObject({ callId: 'call-1', agent: { sessionId: 's' } })
  expect(asked[0]?.question).toMatch(/^plain asks: Which\?/)
  expect(asked[0]?.options).toEqual(options)
  expect(answered.result).toEqual({ action: 'accept', content: { field: value } })
})

test('nothing hides in the words of a question (B39)', async () => {
  const title = 'Is it\u001b[8m not\u001b[m\u202e safe?\nSay.'
  const { asked } = await ask({ ...form({ field: { type: 'string' } }), title }, { answer: 'x' })
  expect(asked[0]?.question).toBe('plain asks: Is it␛[8m not␛[m⟨U+202E⟩ safe?\nSay.')
})

test('a form with more than one field is declined, and the log says why', async () => {
  const { asked, answered, log } = await ask(form({ a: { type: 'string' }, b: { type: 'string' } }), { answer: 'x' })
  expect(asked).toEqual([])
  expect(answered.result).toEqual({ action: 'decline' })
  expect(log.join('\n')).toContain('its form has 2 fields')
})

test.each([
  ['that the user declines', { declined: 'no' }, { type: 'string' }],
  ['that does not fit', { answer: 'many' }, { type: 'integer' }],
])('an answer %s is declined', async (_what, answer, field) => {
  expect((await ask(form({ field }), answer)).answered.result).toEqual({ action: 'decline' })
})

test('without a user to ask, questions and models of the client are refused as unknown', async () => {
  const { mcp, call, settled } = await startBench()
  mcp.open('s', [process.cwd()], [plainServer()])
  await settled()
  const asked = JSON.parse(textOf(await call('mcp__plain__ask', { schema: form({}) })))
  const sampled = JSON.parse(textOf(await call('mcp__plain__sample')))
  expect([asked.error.code, sampled.error.code]).toEqual([-32601, -32601])
})
