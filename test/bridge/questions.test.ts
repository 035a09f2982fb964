import { type CreateElicitationRequest, type CreateElicitationResponse, methods } from '@agentclientprotocol/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { defaultConfig } from '../../src/config/index.js'
import { until } from '../support/processes.js'
import { type Answer, type Call, cancelled, connectAsked, never, outline, select } from './permission-support.js'

const FORMS = { elicitation: { form: {} } }
const FREE: Call[] = [['ask_user', { question: 'Which name?' }]]
const CHOICE: Call[] = [['ask_user', { question: 'Which colour?', options: ['red', 'blue'] }]]

async function connectWithForms(
  calls: Call[],
  fill: (request: CreateElicitationRequest) => CreateElicitationResponse | Promise<CreateElicitationResponse>,
) {
  const forms: CreateElicitationRequest[] = []
  const connected = await connectAsked(calls, null, {
    capabilities: FORMS,
    serve: app => {
      app.onRequest(methods.client.elicitation.create, ({ params }) => {
        forms.push(params)
        return fill(params)
      })
    },
  })
  return Object.assign(connected, { forms })
}

const textOf = (result: { content: readonly { type: string }[] } | undefined) =>
  (result?.content[0] as { text?: string } | undefined)?.text

describe('a question of a model to a client with forms', () => {
  it('is a form on its call, while that is pending', async () => {
    const connected = await connectWithForms(FREE, () => {
      expect(outline(connected)).toEqual(['1 pending'])
      return { action: 'accept', content: { answer: ' Deck ' } }
    })
    const id = await connected.newSession()
    expect(await connected.prompt(id, 'go')).toBe('end_turn')
    expect(textOf(connected.results[0]?.[0])).toBe('The user answers: Deck')
    expect(outline(connected)).toEqual(['1 pending', '1 in_progress', '1 completed', 'text'])
    const call = connected.updates(id).find(update => update.sessionUpdate === 'tool_call')
    expect(connected.forms).toEqual([
      {
        mode: 'form',
        sessionId: id,
        toolCallId: call?.toolCallId,
        message: 'Which name?',
        requestedSchema: {
          type: 'object',
          properties: { answer: { type: 'string', title: 'Answer' } },
          required: ['answer'],
        },
      },
    ])
  })

  it('offers the options and any other answer', async () => {
    const connected = await connectWithForms(CHOICE, () => ({
      action: 'accept',
      content: { answer: 'red', other: 'green' },
    }))
    await connected.prompt(await connected.newSession(), 'go')
    expect(textOf(connected.results[0]?.[0])).toBe('The user answers: green')
    expect(connected.forms[0]).toMatchObject({
      requestedSchema: { properties: { answer: { enum: ['red', 'blue'] }, other: { type: 'string' } } },
    })
  })

  it.each([
    [{ action: 'decline' }, /declined to answer/],
    [{ action: 'cancel' }, /closed the question/],
    [{ action: 'accept', content: { answer: ' ' } }, /left the answer empty/],
    [{ action: 'accept' }, /left the answer empty/],
  ] as [CreateElicitationResponse, RegExp][])(
    'takes %j as no answer, and the turn goes on',
    async (response, words) => {
      const connected = await connectWithForms(FREE, () => response)
      expect(await connected.prompt(await connected.newSession(), 'go')).toBe('end_turn')
      expect(connected.results[0]?.[0]?.isError).toBe(false)
      expect(textOf(connected.results[0]?.[0])).toMatch(words)
    },
  )

  it('ends with a cancel, and the form is taken back (B53)', async () => {
    const connected = await connectWithForms(FREE, () => new Promise(() => {}))
    const id = await connected.newSession()
    const prompt = connected.prompt(id, 'go')
    await until(() => connected.forms.length === 1)
    await connected.connection.agent.notify(methods.agent.session.cancel, { sessionId: id })
    expect(await prompt).toBe('cancelled')
    expect(outline(connected)).toEqual(['1 pending', 'taken back', '1 failed'])
  })
})

describe('a question of a model to a client without forms', () => {
  it('is a choice on the card of its call', async () => {
    const connected = await connectAsked(CHOICE, select('choice_2'))
    await connected.prompt(await connected.newSession(), 'go')
    expect(textOf(connected.results[0]?.[0])).toBe('The user answers: blue')
    expect(connected.dialogs[0]?.request).toMatchObject({
      toolCall: { title: 'Which colour?', status: 'pending' },
      options: [
        { kind: 'allow_once', optionId: 'choice_1', name: 'red' },
        { kind: 'allow_once', optionId: 'choice_2', name: 'blue' },
        { kind: 'reject_once', optionId: 'no_answer', name: 'Do not answer' },
      ],
    })
    expect(outline(connected)).toEqual(['1 pending', '1 asked', '1 in_progress', '1 completed', 'text'])
  })

  it.each(['no_answer', 'no such option'])('takes %s as no answer, and the turn goes on (B59)', async option => {
    const connected = await connectAsked(CHOICE, select(option))
    expect(await connected.prompt(await connected.newSession(), 'go')).toBe('end_turn')
    expect(textOf(connected.results[0]?.[0])).toMatch(/^No answer: the user declined/)
  })

  it('a cancel in the dialog ends the turn (B59)', async () => {
    const connected = await connectAsked(CHOICE, cancelled)
    expect(await connected.prompt(await connected.newSession(), 'go')).toBe('cancelled')
  })

  it('waits longer than a call may take: only running counts for the limit', async () => {
    const config = { ...defaultConfig(), timeouts: { callMs: 30_000 } }
    const late: Answer = async () => {
      vi.advanceTimersByTime(60_000)
      vi.useRealTimers()
      return { outcome: { outcome: 'selected', optionId: 'choice_1' } }
    }
    const connected = await connectAsked(CHOICE, late, { config })
    const id = await connected.newSession()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await connected.prompt(id, 'go')
    expect(textOf(connected.results[0]?.[0])).toBe('The user answers: red')
  })

  it('a cancel of the turn ends the wait (B53)', async () => {
    const connected = await connectAsked(CHOICE, never as Answer)
    const id = await connected.newSession()
    const prompt = connected.prompt(id, 'go')
    await until(() => connected.dialogs.length === 1)
    await connected.connection.agent.notify(methods.agent.session.cancel, { sessionId: id })
    expect(await prompt).toBe('cancelled')
  })

  it('without options cannot be put, and the model is told what to do', async () => {
    const connected = await connectAsked(FREE, select('choice_1'))
    await connected.prompt(await connected.newSession(), 'go')
    expect(textOf(connected.results[0]?.[0])).toMatch(/no form for free text; ask again with options/)
    expect(connected.dialogs).toEqual([])
  })

  it('that cannot ask at all is said so (wire rule 14)', async () => {
    const connected = await connectAsked(CHOICE, null)
    expect(await connected.prompt(await connected.newSession(), 'go')).toBe('end_turn')
    expect(textOf(connected.results[0]?.[0])).toMatch(/the editor could not ask/)
  })
})
