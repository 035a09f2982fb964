import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { LogReading } from '../../session/index.js'
import type { Presenter } from '../calls/call-state.js'
import type { ClientProfile } from '../render/profile.js'
import { SessionView } from './session-view.js'

export interface ReplayLogOptions {
  reading: LogReading
  profile: ClientProfile
  presenter: Presenter
  onUpdate: (update: SessionUpdate) => void | Promise<void>
  log: (level: 'warn' | 'info', ...parts: unknown[]) => void
}

/** The updates that session/load would send for a log, without opening or changing it. */
export async function replayLog({ reading, profile, presenter, onUpdate, log }: ReplayLogOptions): Promise<void> {
  const { id, cwd, roots } = reading.header
  const send = async (_sessionId: string, update: SessionUpdate) => await onUpdate(update)
  const view = await SessionView.open({ sessionId: id, place: { cwd, roots }, profile, presenter, send, log }, 'replay')
  for await (const events of reading.batches) {
    for (const event of events) await view.push(event)
  }
  for (const event of reading.closing()) await view.push(event)
  await view.goLive()
}
