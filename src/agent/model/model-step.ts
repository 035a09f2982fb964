import { randomUUID } from 'node:crypto'
import { HarnessError } from '../../cards/index.js'
import type { SessionTools } from '../../registry/index.js'
import type { DriverCall, DriverRun } from '../driver.js'
import { coalesce } from './coalesce.js'
import { EarlyCard } from './early-card.js'
import type { Model, ModelPart, ModelRequest, ModelUsage } from './provider/index.js'
import { toThoughtMeta } from './thought-meta.js'

type Finish = Extract<ModelPart, { type: 'finish' }>['reason']

/** What came of one request. `error`: it broke off, and its calls must not run. */
export interface StepOutcome {
  calls: DriverCall[]
  hasText: boolean
  /** Calls whose arguments began to stream have a card that must be closed. */
  hasCards: boolean
  reason?: Finish
  usage: ModelUsage
  error?: unknown
}

/** Why a step that is over is aborted: one reason for all, since each error costs its stack. */
const ENDED = new HarnessError('ABORTED', 'The step has ended.')

/** One answer of a model as a driver's steps, as it comes. Throws only the signal's reason. */
export async function* runModelStep(
  model: Model,
  request: ModelRequest,
  tools: Pick<SessionTools, 'presentPartial'>,
  signal: AbortSignal,
): DriverRun<StepOutcome> {
  const outcome: StepOutcome = { calls: [], hasText: false, hasCards: false, usage: {} }
  const messageIds = new Map<string, string>()
  const cards = new Map<string, { name: string; card: EarlyCard }>()
  const idOf = (block: string) => {
    const id = messageIds.get(block) ?? randomUUID()
    messageIds.set(block, id)
    return id
  }
  // However this generator ends, its request ends with it.
  const stop = new AbortController()
  const onAbort = () => stop.abort(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  let isOver = false
  try {
    for await (const part of coalesce(model.stream(request, stop.signal))) {
      switch (part.type) {
        case 'text':
          outcome.hasText ||= part.text.trim() !== ''
          yield { type: 'text', messageId: idOf(`text ${part.id}`), text: part.text }
          break
        case 'thought':
          yield { type: 'thought', messageId: idOf(`thought ${part.id}`), text: part.text }
          break
        case 'thought-end': {
          const meta = toThoughtMeta(model.id, part.meta)
          yield { type: 'thought', messageId: idOf(`thought ${part.id}`), text: '', meta }
          break
        }
        case 'call-start':
          if (!cards.has(part.id)) cards.set(part.id, { name: part.name, card: new EarlyCard(tools, part.name) })
          break
        case 'call-delta': {
          const entry = cards.get(part.id)
          const args = entry?.card.push(part.text)
          if (!entry || !args) break
          outcome.hasCards = true
          yield { type: 'call-start', id: part.id, name: entry.name, arguments: args }
          break
        }
        case 'call': {
          const { id, name, arguments: args, meta } = part
          const own = meta === undefined ? {} : { meta: toThoughtMeta(model.id, meta) }
          outcome.calls.push({ id, name, arguments: args, origin: 'model', ...own })
          break
        }
        case 'notice':
          yield part
          break
        case 'finish':
          outcome.reason = part.reason
          outcome.usage = part.usage
      }
    }
    isOver = true
  } catch (error) {
    signal.throwIfAborted()
    outcome.error = error
  } finally {
    signal.removeEventListener('abort', onAbort)
    if (!isOver) stop.abort(ENDED)
  }
  return outcome
}
