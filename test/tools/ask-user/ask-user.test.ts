import type { Plugin } from 'cordis'
import { describe, expect, it } from 'vitest'
import { createConsoleDriver } from '../../../src/agent/index.js'
import type { UserAnswer, UserQuestion } from '../../../src/registry/index.js'
import * as askUser from '../../../src/tools/ask-user/index.js'
import { openWorkbench } from '../../support/workbench.js'

async function open(answer?: UserAnswer) {
  const questions: UserQuestion[] = []
  const user: Plugin = {
    name: 'user',
    apply(ctx) {
      if (!answer) return
      ctx.provide('questioner', {
        async ask(question) {
          questions.push(question)
          return answer
        },
      })
    },
  }
  return { ...(await openWorkbench(user, askUser)), questions }
}

describe('ask_user', () => {
  it('puts the question before its body starts and gives the answer', async () => {
    const { call, questions } = await open({ answer: 'blue' })
    const { text, isError, meta } = await call('ask_user', { question: ' Which colour? ', options: ['red', ' blue '] })
    expect([text, isError, meta]).toEqual(['The user answers: blue', false, { answer: 'blue' }])
    expect(questions).toMatchObject([{ callId: 'call-1', question: 'Which colour?', options: ['red', 'blue'] }])
  })

  it('says why there is no answer, and that is no failure', async () => {
    const { call } = await open({ declined: 'the user declined to answer' })
    const { text, isError } = await call('ask_user', { question: 'Which?', options: null })
    expect([text, isError]).toEqual([expect.stringMatching(/^No answer: the user declined to answer\. Go on/), false])
    const alone = await open()
    expect((await alone.call('ask_user', { question: 'Which?' })).text).toContain('no user who could be asked')
  })

  it('is for models: a user is not offered it, and not asked by their own call', async () => {
    const { call, agent, questions, ctx } = await open({ answer: 'x' })
    const { code } = await call('ask_user', { question: 'Which?' }, { agent: { ...agent, origin: 'user' } })
    expect([code, questions]).toEqual(['REFUSED', []])
    const commands = createConsoleDriver({ tools: ctx.tools }).commands()
    expect(commands.map(({ name }) => name)).not.toContain('ask_user')
    expect(ctx.tools.schemas().map(({ name }) => name)).toEqual(['ask_user'])
  })

  it.each([
    [{ question: ' ' }, /question: expected/],
    [{ question: 'x'.repeat(4001) }, /question: expected/],
    [{ question: 'x', options: ['one'] }, /options: expected 2 to 6/],
    [{ question: 'x', options: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, /options: expected 2 to 6/],
    [{ question: 'x', options: ['a', ' '] }, /options: expected answers of/],
    [{ question: 'x', options: ['a', 'a '] }, /options: expected answers that differ/],
    [{}, /question/],
  ])('refuses %j and asks nobody', async (args, words) => {
    const { call, questions } = await open({ answer: 'x' })
    const { code, text } = await call('ask_user', args)
    expect([code, text, questions]).toEqual(['INVALID_ARGS', expect.stringMatching(words), []])
  })

  it('shows the question with its options, and touches nothing', async () => {
    const { ctx } = await open()
    const args = { question: 'Which?', options: ['a', 'b'] }
    expect(ctx.tools.presentCall('ask_user', args)).toEqual({
      card: 'generic',
      kind: 'other',
      title: 'Which?',
      content: [{ type: 'text', text: 'Which?\n\n- a\n- b' }],
    })
    expect(ctx.tools.effects('ask_user', args)).toEqual({})
  })
})
