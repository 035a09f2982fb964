import type { SessionConfigOption, SessionModeState, SessionUpdate } from '@agentclientprotocol/sdk'
import { isMode, MODES, type Mode } from '../gates/permission/index.js'
import { invalidParams } from './protocol-errors.js'

/** The config option that stands for the mode, for clients that show options and no modes. */
const MODE_OPTION = 'mode'

/** What a client is told of a session's settings when it gets the session. */
export interface SessionSettings {
  modes: SessionModeState
  configOptions: SessionConfigOption[]
}

export function toSettings(mode: Mode): SessionSettings {
  const availableModes = MODES.map(({ id, name, description }) => ({ id, name, description }))
  return { modes: { currentModeId: mode, availableModes }, configOptions: toConfigOptions(mode) }
}

/** The mode as both of its faces, for a client to take over. */
export function toModeUpdates(mode: Mode): SessionUpdate[] {
  return [
    { sessionUpdate: 'current_mode_update', currentModeId: mode },
    { sessionUpdate: 'config_option_update', configOptions: toConfigOptions(mode) },
  ]
}

/** The mode of this id; -32602 for any other. */
export function fromModeId(modeId: unknown): Mode {
  if (isMode(modeId)) return modeId
  throw invalidParams(`There is no mode ${JSON.stringify(modeId)}. Modes: ${MODES.map(({ id }) => id).join(', ')}.`)
}

/** The mode that a config option is set to; -32602 for another option or value. */
export function fromConfigOption(configId: string, value: unknown): Mode {
  if (configId !== MODE_OPTION) throw invalidParams(`There is no option ${JSON.stringify(configId)}.`)
  return fromModeId(value)
}

function toConfigOptions(mode: Mode): SessionConfigOption[] {
  const options = MODES.map(({ id, name, description }) => ({ value: id, name, description }))
  return [
    {
      id: MODE_OPTION,
      name: 'Mode',
      description: 'What is free, and what asks first.',
      category: 'mode',
      type: 'select',
      currentValue: mode,
      options,
    },
  ]
}
