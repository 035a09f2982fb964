import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { type HarnessError, isHarnessError, text } from '../../src/cards/index.js'
import type { LoggedEvent, SessionEvent } from '../../src/session/events.js'
import { type LogReading, type ReadLogOptions, readLog } from '../../src/session/recovery.js'
import { SessionStore } from '../../src/session/store.js'

/** A directory that is removed after the test. */
export function tempDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-session-')))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export function logFixture(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/logs/${name}.jsonl`, import.meta.url))
}

/** A store that holds copies of these fixture logs. */
export function storeWith(...names: string[]): SessionStore {
  const store = new SessionStore(tempDirectory())
  mkdirSync(store.directory, { recursive: true })
  for (const name of names) cpSync(logFixture(name), join(store.directory, `${name}.jsonl`))
  return store
}

export interface ReadLog extends LogReading {
  events: LoggedEvent[]
}

export async function readAll(path: string, options?: ReadLogOptions): Promise<ReadLog> {
  const reading = await readLog(path, options)
  const events: LoggedEvent[] = []
  for await (const batch of reading.batches) events.push(...batch)
  return { ...reading, events }
}

/** The type of each event, with the call it belongs to. */
export function outline(events: readonly SessionEvent[]): string[] {
  return events.map(event => ('callId' in event ? `${event.type} ${event.callId}` : event.type))
}

/** Runs the work and gives the HarnessError it fails with. */
export async function failureOf(work: () => unknown): Promise<HarnessError> {
  try {
    await work()
  } catch (error) {
    if (isHarnessError(error)) return error
    throw error
  }
  throw new Error('It did not fail.')
}

export const turnStart: SessionEvent = { type: 'turn/start', turnId: 't1' }
export const turnEnd: SessionEvent = { type: 'turn/end', turnId: 't1', stopReason: 'end_turn' }

export function userSays(words: string): SessionEvent {
  return { type: 'user/message', messageId: 'u1', content: [text(words)] }
}

export function assistantSays(words: string, messageId = 'm1'): SessionEvent {
  return { type: 'assistant/message', messageId, text: words }
}

export function toolCall(callId: string, origin: 'user' | 'model' = 'model'): SessionEvent {
  return { type: 'tool/call', callId, name: 'look', arguments: { at: callId }, origin }
}

export function toolResult(callId: string, words = 'done', isError = false): SessionEvent {
  return { type: 'tool/result', callId, content: [text(words)], isError }
}
