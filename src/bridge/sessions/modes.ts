import type { SessionModeState } from '@agentclientprotocol/sdk'
import { isMode, MODES, type Mode } from '../../gates/permission/index.js'
import { invalidParams } from '../wire/protocol-errors.js'

/** The modes of a session and the one in force. */
export function toModeState(mode: Mode): SessionModeState {
  const availableModes = MODES.map(({ id, name, description }) => ({ id, name, description }))
  return { currentModeId: mode, availableModes }
}

/** The mode of this id; -32602 for any other. */
export function fromModeId(modeId: unknown): Mode {
  if (isMode(modeId)) return modeId
  throw invalidParams(`There is no mode ${JSON.stringify(modeId)}. Modes: ${MODES.map(({ id }) => id).join(', ')}.`)
}
