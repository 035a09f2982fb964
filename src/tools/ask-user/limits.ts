import { ToolArgsError } from '../../registry/index.js'

const MAX_QUESTION_CHARS = 4000
const MAX_OPTION_CHARS = 200
const MIN_OPTIONS = 2
const MAX_OPTIONS = 6

/** Throws INVALID_ARGS for what types cannot say. */
export function checkLimits({ question, options }: Record<string, unknown>): void {
  const violations: string[] = []
  if (typeof question === 'string' && (question.trim() === '' || question.length > MAX_QUESTION_CHARS)) {
    violations.push(
      `question: expected 1 to ${MAX_QUESTION_CHARS} characters, got ${question.trim() === '' ? 'none' : question.length}`,
    )
  }
  if (Array.isArray(options)) violations.push(...findOptionFaults(options))
  if (violations.length > 0) throw new ToolArgsError('ask_user', violations)
}

function findOptionFaults(options: readonly unknown[]): string[] {
  if (options.length < MIN_OPTIONS || options.length > MAX_OPTIONS) {
    return [
      `options: expected ${MIN_OPTIONS} to ${MAX_OPTIONS} answers, got ${options.length}; leave it out for a free answer`,
    ]
  }
  const texts = options.map(option => String(option).trim())
  if (texts.some(option => option === '' || option.length > MAX_OPTION_CHARS)) {
    return [`options: expected answers of 1 to ${MAX_OPTION_CHARS} characters`]
  }
  return new Set(texts).size < texts.length ? ['options: expected answers that differ'] : []
}
