import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { SessionEvent } from '../../session/index.js'
import type { Driver, DriverStep } from '../driver.js'
import { toRecordedTurns } from './recorded-turn.js'

export interface ReplayDriverOptions {
  /** Time before each step, so that a viewer can follow. Default 0. */
  pauseMs?: number
}

/**
 * Plays a recorded session as if live: each prompt of a session takes the next recorded turn, whatever it says. Texts, thoughts
 * and calls are those of the recording; the calls run anew, so their results are real.
 */
export function createReplayDriver(events: Iterable<SessionEvent>, { pauseMs = 0 }: ReplayDriverOptions = {}): Driver {
  const turns = toRecordedTurns(events)
  const played = new Map<string, number>()

  return {
    async *run({ agent, signal }) {
      const index = played.get(agent.sessionId) ?? 0
      played.set(agent.sessionId, index + 1)
      const turn = turns[index]
      if (turn === undefined) {
        yield { type: 'text', messageId: randomUUID(), text: `The recording is over: it has ${toCount(turns.length)}.` }
        return 'end_turn'
      }
      const messageIds = new Map<string, string>()
      for (const step of turn.steps) {
        if (pauseMs > 0) await pause(pauseMs, undefined, { signal })
        if (signal.aborted) break
        yield withFreshMessageId(step, messageIds)
      }
      return 'end_turn'
    },
  }
}

/** A message id is used once in a session, and a recording may be played in many. */
function withFreshMessageId(step: DriverStep, messageIds: Map<string, string>): DriverStep {
  if (step.type !== 'text' && step.type !== 'thought') return step
  const messageId = messageIds.get(step.messageId) ?? randomUUID()
  messageIds.set(step.messageId, messageId)
  return { ...step, messageId }
}

function toCount(turns: number): string {
  return turns === 1 ? '1 turn' : `${turns} turns`
}
