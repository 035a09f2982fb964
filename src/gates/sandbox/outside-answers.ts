import { createHash } from 'node:crypto'
import type { ToolAgent } from '../../registry/index.js'

/** A command of a session: what decides whether it is the same again. */
export interface SessionCommand {
  readonly agent: ToolAgent
  /** The shell text. */
  readonly runs: string
  readonly runsIn: string | undefined
}

type Answer = 'failed' | 'outside' | 'inside'

const MAX_COMMANDS = 500

/**
 * What is known of commands that may need to run without the sandbox: `failed` in it a moment ago, so the user is asked when
 * it comes again; `outside` or `inside` for the rest of the session, as the user answered.
 */
export class OutsideAnswers {
  readonly #answers = new Map<string, Answer>()

  get(command: SessionCommand): Answer | undefined {
    return this.#answers.get(toKey(command))
  }

  set(command: SessionCommand, answer: Answer): void {
    const key = toKey(command)
    this.#answers.delete(key)
    const oldest = this.#answers.keys().next().value
    if (this.#answers.size >= MAX_COMMANDS && oldest !== undefined) this.#answers.delete(oldest)
    this.#answers.set(key, answer)
  }

  delete(command: SessionCommand): void {
    this.#answers.delete(toKey(command))
  }
}

function toKey({ agent, runs, runsIn }: SessionCommand): string {
  const parts = JSON.stringify([agent.sessionId, agent.cwd, runsIn ?? '', runs])
  return createHash('sha256').update(parts).digest('base64')
}
