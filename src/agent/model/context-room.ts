import { contentChars, type History, type HistoryEntry } from '../../session/index.js'
import type { DriverStep } from '../driver.js'
import type { Model } from './provider/index.js'

/** Part of the window over which the conversation is shortened, and what should be in use after that. */
const FULL = 0.85
const ROOMY = 0.6
/** A guess that errs on the side of more tokens. */
const CHARS_PER_TOKEN = 3.5
/** Results of so many last steps stay whole. */
const RECENT_STEPS = 4
const MAX_OLD_RESULT_CHARS = 2000

type Elision = Extract<DriverStep, { type: 'elision' }>

/** True if the next request would come near the end of the model's window. False if the window is not known. */
export function isNearLimit(history: History, { contextSize }: Pick<Model, 'contextSize'>): boolean {
  if (contextSize === undefined) return false
  return tokensOf(history) > FULL * contextSize
}

/** Leaves out old long results of tools; undefined if that would not make room enough. */
export function toElision(history: History, { contextSize }: Pick<Model, 'contextSize'>): Elision | undefined {
  const steps = [...history.settled, ...history.current()].flatMap(entry =>
    entry.role === 'tool' ? [entry.results] : [],
  )
  const before = steps.at(-RECENT_STEPS)?.[0]?.callId
  if (contextSize === undefined || before === undefined || steps.length <= RECENT_STEPS) return undefined
  const old = steps.slice(0, -RECENT_STEPS).flat()
  const freed = old
    .map(({ content }) => content.reduce((sum, block) => sum + contentChars(block), 0))
    .filter(chars => chars > MAX_OLD_RESULT_CHARS)
    .reduce((sum, chars) => sum + chars, 0)
  const chars = charsOf(history)
  const left = tokensOf(history) * (1 - freed / Math.max(1, chars))
  return left > ROOMY * contextSize ? undefined : { type: 'elision', before, maxChars: MAX_OLD_RESULT_CHARS }
}

/** Tokens in use: as the provider counted them last, with a guess for what came after its answer. */
function tokensOf(history: History): number {
  if (history.used === undefined) return charsOf(history) / CHARS_PER_TOKEN
  const entries = [...history.settled, ...history.current()]
  const since = entries.slice(entries.findLastIndex(({ role }) => role === 'assistant') + 1)
  return history.used + since.reduce((sum, entry) => sum + entryChars(entry), 0) / CHARS_PER_TOKEN
}

function charsOf(history: History): number {
  return [...history.settled, ...history.current()].reduce((sum, entry) => sum + entryChars(entry), 0)
}

function entryChars(entry: HistoryEntry): number {
  switch (entry.role) {
    case 'user':
      return entry.content.reduce((sum, block) => sum + contentChars(block), 0)
    case 'assistant':
      return entry.parts.reduce((sum, part) => sum + partChars(part), 0)
    case 'tool':
      return entry.results.reduce(
        (sum, { content }) => sum + content.reduce((chars, block) => chars + contentChars(block), 0),
        0,
      )
  }
}

function partChars(part: Extract<HistoryEntry, { role: 'assistant' }>['parts'][number]): number {
  if (part.type !== 'call') return part.text.length
  return typeof part.arguments === 'string' ? part.arguments.length : JSON.stringify(part.arguments).length
}
