import type { SessionConfigOption, SetSessionConfigOptionRequest } from '@agentclientprotocol/sdk'
import type { ModelOffer } from '../../agent/index.js'
import { MODES, type Mode } from '../../gates/permission/index.js'
import type { SessionEvent } from '../../session/index.js'
import { invalidParams } from '../wire/protocol-errors.js'
import { fromModeId } from './modes.js'

/** The level that stands for the provider's own choice. */
const DEFAULT_LEVEL = 'default'

/** What a session can choose, and what it has chosen. */
export interface ChosenOptions {
  mode: Mode
  /** Absent while no model is configured. */
  offer?: ModelOffer
  thinkingLevel?: string
}

/** The options of a session: its mode, and with a model configured the model and how much it thinks. */
export function toConfigOptions({ mode, offer, thinkingLevel }: ChosenOptions): SessionConfigOption[] {
  const modes: SessionConfigOption = {
    id: 'mode',
    name: 'Mode',
    description: 'What is free, and what asks first.',
    category: 'mode',
    type: 'select',
    currentValue: mode,
    options: MODES.map(({ id, name, description }) => ({ value: id, name, description })),
  }
  if (!offer) return [modes]
  const models: SessionConfigOption = {
    id: 'model',
    name: 'Model',
    description: 'Counts from the next prompt on.',
    category: 'model',
    type: 'select',
    currentValue: offer.current,
    options: offer.models.map(({ id, name }) => ({ value: id, name, description: id })),
  }
  const { thinkingLevels } = offer
  if (thinkingLevels.length === 0) return [modes, models]
  const chosen = thinkingLevel !== undefined && thinkingLevels.includes(thinkingLevel) ? thinkingLevel : DEFAULT_LEVEL
  const levels: SessionConfigOption = {
    id: 'thought_level',
    name: 'Thinking',
    description: 'How much the model thinks before it answers.',
    category: 'thought_level',
    type: 'select',
    currentValue: chosen,
    options: [DEFAULT_LEVEL, ...thinkingLevels].map(level => ({ value: level, name: toLabel(level) })),
  }
  return [modes, models, levels]
}

/** What a client sets an option to: a mode, or what is to be recorded. -32602 for what is not on offer. */
export function fromConfigOption(
  { configId, value }: Pick<SetSessionConfigOptionRequest, 'configId'> & { value: unknown },
  chosen: ChosenOptions,
): Mode | Extract<SessionEvent, { type: 'session/config' }> {
  if (configId === 'mode') return fromModeId(value)
  const option = toConfigOptions(chosen).find(({ id }) => id === configId)
  if (option?.type !== 'select') throw invalidParams(`There is no option ${JSON.stringify(configId)}.`)
  const values = option.options.flatMap(entry => ('value' in entry ? [entry.value] : []))
  if (typeof value !== 'string' || !values.includes(value)) {
    throw invalidParams(`${JSON.stringify(value)} is none of the values of ${configId}.`)
  }
  return configId === 'model'
    ? { type: 'session/config', model: value }
    : { type: 'session/config', thinkingLevel: value }
}

function toLabel(level: string): string {
  return level.charAt(0).toUpperCase() + level.slice(1)
}
