import { isRecord } from '../../cards/index.js'
import type { Remembered } from './verdict.js'

/** What holds for a project: everything that can be remembered but a mode, which is the thread's. */
export type ProjectAnswer = Exclude<Remembered, { type: 'mode' }>

/** One remembered answer. */
export interface StoredAnswer {
  /** Short and unique in the file: what `deckhand permissions remove` takes. */
  readonly id: string
  /** The real root of the project it holds in. */
  readonly project: string
  /** ISO 8601. */
  readonly since: string
  readonly answer: ProjectAnswer
}

/** The answers of a file's text, and how many entries are none; undefined if it is no such file at all. */
export function parseAnswers(text: string): { answers: StoredAnswer[]; faulty: number } | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(value) || value.version !== 1 || !Array.isArray(value.answers)) return undefined
  const answers = value.answers.filter(isStoredAnswer)
  return { answers, faulty: value.answers.length - answers.length }
}

export function formatAnswers(answers: readonly StoredAnswer[]): string {
  return `${JSON.stringify({ version: 1, answers }, null, 2)}\n`
}

function isStoredAnswer(value: unknown): value is StoredAnswer {
  if (!isRecord(value)) return false
  const { id, project, since, answer } = value
  return [id, project, since].every(part => typeof part === 'string' && part !== '') && isProjectAnswer(answer)
}

function isProjectAnswer(value: unknown): value is ProjectAnswer {
  if (!isRecord(value)) return false
  switch (value.type) {
    case 'tool':
      return typeof value.name === 'string' && (value.provider === undefined || isProvider(value.provider))
    case 'host':
      return typeof value.host === 'string'
    case 'command':
      return Array.isArray(value.words) && value.words.length > 0 && value.words.every(word => typeof word === 'string')
    default:
      return false
  }
}

function isProvider(value: unknown): boolean {
  return isRecord(value) && typeof value.label === 'string' && typeof value.key === 'string'
}
