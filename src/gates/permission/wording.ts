import { HarnessError, oneLine, visibleControls } from '../../cards/index.js'
import { PLAN_MODE } from './decide-thing.js'
import { MODES } from './modes.js'
import type { StoredAnswer } from './remembered-shape.js'
import type { Remembered } from './verdict.js'

const MAX_LABEL_CHARS = 240

/** The always-option's name, which states the exact rules; undefined if they do not fit in a name. */
export function toAlwaysLabel(answers: readonly Remembered[]): string | undefined {
  if (answers.length === 0) return undefined
  if (answers.every(({ type }) => type === 'mode')) return 'Allow edits in this thread'
  const label = `Always allow ${answers.map(describeAnswer).join(' and ')} in this project`
  // A rule that cannot be shown as it is must not be agreed to.
  return label.length <= MAX_LABEL_CHARS && visibleControls(label) === label ? label : undefined
}

/** A remembered answer in a few words. */
export function describeAnswer(answer: Remembered): string {
  switch (answer.type) {
    case 'mode':
      return `the mode ${MODES.find(({ id }) => id === answer.mode)?.name ?? answer.mode}`
    case 'tool':
      return toToolWords(answer.name, answer.provider)
    case 'host':
      return `fetching from ${answer.host}`
    case 'command':
      return `the command ${answer.words.map(quoteWord).join(' ')}`
  }
}

/** A tool as a sentence names it: with who is behind it. */
export function toToolWords(name: string, provider: { readonly label: string } | undefined): string {
  return provider ? `the tool ${name} of ${provider.label}` : `the tool ${name}`
}

/** What the thread is told once an always-answer has been remembered. */
export function toRememberedNote(mode: Remembered | undefined, stored: readonly StoredAnswer[], path: string): string {
  const lines = stored.map(
    ({ id, answer }) =>
      `Remembered for this project: ${describeAnswer(answer)} is allowed. ` +
      `It stands in ${path}; "deckhand permissions remove ${id}" removes it.`,
  )
  if (mode) {
    lines.unshift(
      'Edits inside the workspace need no question in this thread any more: its mode is now "Accept edits". ' +
        'Choose the mode "Ask" to be asked again.',
    )
  }
  return lines.join('\n')
}

export function toRejectedNote(subjects: readonly string[]): string {
  const what = oneLine(subjects.join(', '), 200)
  return `Refused until this session ends: ${what}. It is kept in the session's log; a new session asks again.`
}

/** Why a call is not run, for the model and for the user. */
export function toDenial(because: string): HarnessError {
  if (because === PLAN_MODE) {
    const advice = 'Look around as much as you need, then present your plan; the user leaves plan mode when it is good.'
    return refused(`Not run: ${because}. ${advice}`)
  }
  return refused(`Not run: ${because}. Do not try to reach the same in another way.`)
}

export function toUserRefusal(because: string): HarnessError {
  return refused(
    `The user refused this call (asked because ${because}), and it was not run. Do not try the same in another way; go on ` +
      'without it, or ask the user what they would like instead.',
  )
}

export function toUnasked(because: string): HarnessError {
  return refused(
    `Not run: it needs the user's permission (${because}), and nobody can be asked here. ` +
      'Run it in a session of an editor, or allow it with a rule in the config.',
  )
}

function refused(message: string): HarnessError {
  return new HarnessError('REFUSED', message)
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./*-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
