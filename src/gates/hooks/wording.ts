import { HarnessError, oneLine } from '../../cards/index.js'
import type { HookOptions } from './options.js'

const MAX_NAME = 80

/** The hook as its reader knows it: its command. */
export function toHookName({ command }: HookOptions): string {
  return `"${oneLine(typeof command === 'string' ? command : command.join(' '), MAX_NAME)}"`
}

/** What a hook tells the model. */
export function toWords(hook: HookOptions, said: string): string {
  return `[hook ${toHookName(hook)}] ${said}`
}

/** The refusal of a call by a hook; `words` of it and earlier hooks stay. */
export function toRefusal(hook: HookOptions, reason: string, words: readonly string[]): HarnessError {
  const refusal = `The user's hook ${toHookName(hook)} refused the call; it was not run: ${reason}`
  return new HarnessError('REFUSED', [refusal, ...words].join('\n'))
}

export function toBrokenRefusal(hook: HookOptions, problem: string): HarnessError {
  return new HarnessError(
    'REFUSED',
    `The user's hook ${toHookName(hook)} must pass, and does not work; the call was not run: ${problem}`,
  )
}
