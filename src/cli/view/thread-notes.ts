import { type Fields, isFields, toItems, toText } from '../../bridge/index.js'

/** One line about the thread. A note of a kind replaces the one right before it if that is of the same kind. */
export interface ThreadNote {
  kind: string
  text: string
  isError: boolean
}

/** What an update says that stands in no card and no message; undefined if nothing. */
export function noteOfUpdate(update: Fields): ThreadNote | undefined {
  switch (update.sessionUpdate) {
    case 'current_mode_update':
      return note('mode', `Mode: ${toText(update.currentModeId) ?? ''}`)
    case 'session_info_update':
      return toText(update.title) === undefined ? undefined : note('title', `Title: ${update.title}`)
    case 'config_option_update':
      return note('options', `Options: ${toItems(update.configOptions).map(showOption).join(', ')}`)
    case 'usage_update':
      return note('usage', showUsage(update))
    case 'available_commands_update':
      return note('commands', showCommands(toItems(update.availableCommands)))
    case 'notice':
      return note('notice', joinTexts(update.title, update.description), update.severity === 'error')
    case 'compaction_update':
      return note('compaction', `Compaction: ${toText(update.status) ?? ''} ${toText(update.error) ?? ''}`.trim())
    default:
      return undefined
  }
}

/** What an answer tells the user; undefined if nothing. */
export function noteOfAnswer(method: string, { result, error }: Fields): ThreadNote | undefined {
  if (isFields(error)) {
    const details = isFields(error.data) ? toText(error.data.details) : undefined
    return note('turn', `${method} failed: ${joinTexts(error.message, details)}`, true)
  }
  if (method !== 'session/prompt') return undefined
  const reason = isFields(result) ? toText(result.stopReason) : undefined
  return note('turn', `Turn ended: ${reason ?? 'without a stop reason'}`)
}

function note(kind: string, text: string, isError = false): ThreadNote {
  return { kind, text, isError }
}

function showOption({ id, name, currentValue }: Fields): string {
  return `${toText(name) ?? toText(id) ?? ''} = ${String(currentValue)}`
}

function showUsage({ used, size, cost }: Fields): string {
  const price = isFields(cost) ? `, ${String(cost.amount)} ${toText(cost.currency) ?? ''}` : ''
  return `Usage: ${String(used)} of ${String(size)} tokens${price}`
}

function showCommands(commands: Fields[]): string {
  const names = commands.slice(0, 30).map(({ name }) => `/${toText(name) ?? ''}`)
  const more = commands.length > names.length ? ` and ${commands.length - names.length} more` : ''
  return commands.length === 0 ? 'No commands' : `Commands: ${names.join(' ')}${more}`
}

function joinTexts(...texts: unknown[]): string {
  return texts.filter(text => typeof text === 'string' && text !== '').join(': ')
}
