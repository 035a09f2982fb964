import { EventEmitter } from 'node:events'
import type { CreateElicitationRequest, RequestPermissionRequest } from '@agentclientprotocol/sdk'
import { describe, expect, it } from 'vitest'
import type { Terminal } from '../../src/cli/ask.js'
import { answerForUser, askUser } from '../../src/cli/demo/dialogs.js'
import { type Line, toAnsi } from '../../src/cli/draw/styled.js'

const COMMAND: RequestPermissionRequest = {
  sessionId: 's',
  toolCall: { toolCallId: 'c', kind: 'execute', title: 'node test.js', rawInput: { command: 'node test.js' } },
  options: [
    { kind: 'allow_once', optionId: 'once', name: 'Allow' },
    { kind: 'allow_always', optionId: 'always', name: 'Always allow node test.js' },
    { kind: 'reject_once', optionId: 'no', name: 'Reject' },
  ],
  _meta: { deckhand: { reason: 'no rule allows it' } },
}

function form(properties: object): CreateElicitationRequest {
  return { mode: 'form', sessionId: 's', message: 'Which?', requestedSchema: { type: 'object', properties } }
}

/** A user who types these, one after another, at each question for keys. */
function user(...typed: string[]) {
  const input = Object.assign(new EventEmitter(), {
    modes: [] as boolean[],
    setRawMode: (mode: boolean) => {
      input.modes.push(mode)
      return input
    },
    pause: () => input,
    resume: () => {
      setImmediate(() => {
        const next = typed.shift()
        if (next !== undefined) input.emit('data', Buffer.from(next))
      })
      return input
    },
  })
  const shown: Line[] = []
  let interrupts = 0
  const terminal = { input, output: { write: () => true } } as unknown as Terminal
  const dialogs = askUser({ terminal, draw: lines => void shown.push(...lines), onInterrupt: () => void interrupts++ })
  return { dialogs, input, text: () => toAnsi(shown, false), interrupts: () => interrupts }
}

const never = new AbortController().signal

describe('a question of the demo at a terminal', () => {
  it.each([
    ['1', 'once'],
    ['x2', 'always'],
    ['93', 'no'],
  ])('typing %s chooses the option of that number', async (typed, optionId) => {
    const { dialogs, input, text } = user(typed)
    expect(await dialogs.permission(COMMAND, never)).toEqual({ outcome: { outcome: 'selected', optionId } })
    expect(text()).toBe('May this run? (no rule allows it)\n  1 Allow\n  2 Always allow node test.js\n  3 Reject\n')
    expect(input.modes).toEqual([true, false])
    expect(input.listenerCount('data')).toBe(0)
  })

  it('Ctrl-C cancels the turn; a question that is taken back closes by itself', async () => {
    const { dialogs, interrupts } = user('\x03')
    expect(await dialogs.permission(COMMAND, never)).toEqual({ outcome: { outcome: 'cancelled' } })
    expect(interrupts()).toBe(1)
    const waiting = user()
    const stop = new AbortController()
    const answer = waiting.dialogs.permission(COMMAND, stop.signal)
    stop.abort()
    expect(await answer).toEqual({ outcome: { outcome: 'cancelled' } })
    expect([waiting.interrupts(), waiting.input.modes]).toEqual([0, [true, false]])
  })

  it('a form is a choice by number, or text; a form of another shape is declined', async () => {
    const choice = { answer: { type: 'string', enum: ['red', 'blue'] }, other: { type: 'string' } }
    expect(await user('2').dialogs.question(form(choice), never)).toEqual({
      action: 'accept',
      content: { answer: 'blue' },
    })
    expect(await user('3', 'green\r').dialogs.question(form(choice), never)).toEqual({
      action: 'accept',
      content: { other: 'green' },
    })
    const free = { answer: { type: 'string' } }
    expect(await user('any\r').dialogs.question(form(free), never)).toEqual({
      action: 'accept',
      content: { answer: 'any' },
    })
    expect(await user('\x1b').dialogs.question(form(free), never)).toEqual({ action: 'decline' })
    expect(await user('1').dialogs.question(form({ password: { type: 'string' } }), never)).toEqual({
      action: 'decline',
    })
  })
})

describe('a question of the demo without a terminal', () => {
  const project = process.cwd()
  const answer = async (toolCall: Partial<RequestPermissionRequest['toolCall']>) => {
    const asked = { ...COMMAND, toolCall: { toolCallId: 'c', title: 'it', ...toolCall } }
    const { outcome } = await answerForUser(project, () => {}).permission(asked, never)
    return outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome
  }

  it.each([
    ['node test.js', 'once'],
    [`cd ${project} && npm test 2>&1`, 'once'],
    ['node test.js; rm -rf ~', 'no'],
    ['node -e 1', 'no'],
    ['cat /etc/passwd', 'no'],
  ])('a command is allowed if it runs the test there: %s', async (command, expected) => {
    expect(await answer({ kind: 'execute', rawInput: { command } })).toBe(expected)
    expect(await answer({ kind: 'execute', rawInput: { command, cwd: '/' } })).toBe('no')
  })

  it.each([
    ['src/a.js', 'once'],
    [`${project}/a.js`, 'once'],
    ['../a.js', 'no'],
    ['/etc/hosts', 'no'],
  ])('an edit is allowed if all its files stand there: %s', async (path, expected) => {
    expect(await answer({ kind: 'edit', content: [{ type: 'diff', path, newText: '' }] })).toBe(expected)
    expect(await answer({ kind: 'edit', locations: [{ path: 'in.js' }, { path }] })).toBe(expected)
    expect(await answer({ kind: 'fetch', locations: [{ path }] })).toBe('no')
    expect(await answer({ kind: 'edit' })).toBe('no')
  })
})
