import { type Fields, type Finding, isFields, toItems } from './check-frame.js'

type Found = Pick<Finding, 'rule' | 'text'>

/** What each request of an agent needs of the client; null: every client serves it. */
const NEEDS: ReadonlyMap<string, ((capabilities: Fields) => boolean) | null> = new Map([
  ['session/update', null],
  ['session/request_permission', null],
  ['fs/read_text_file', capabilities => at(capabilities, 'fs', 'readTextFile') === true],
  ['fs/write_text_file', capabilities => at(capabilities, 'fs', 'writeTextFile') === true],
  ...['create', 'output', 'release', 'wait_for_exit', 'kill'].map(
    name => [`terminal/${name}`, (capabilities: Fields) => capabilities.terminal === true] as const,
  ),
  ['elicitation/create', capabilities => isFields(capabilities.elicitation)],
  ['elicitation/complete', capabilities => isFields(capabilities.elicitation)],
])

const OUTPUT_KEYS = ['terminal_output', 'terminal_output_delta']

/** Rule 14: a method that this client did not say it serves. */
export function checkMethod(method: string, capabilities: Fields, found: Found[]): void {
  if (method.startsWith('_') || method.startsWith('$/')) return
  const need = NEEDS.get(method)
  if (need === undefined) found.push({ rule: 14, text: `${method} is no method of a client` })
  else if (need && !need(capabilities))
    found.push({ rule: 14, text: `${method} is not among the client's capabilities` })
}

/** Rule 14: an update that this client did not say it takes. */
export function checkUpdateCapability(update: Fields, capabilities: Fields, found: Found[]): void {
  const kind = update.sessionUpdate
  const lacks = (what: string) => found.push({ rule: 14, text: `${what} is not among the client's capabilities` })
  if (kind === 'notice' && !isFields(at(capabilities, 'session', 'notices'))) lacks('notice')
  const isCompaction = kind === 'compaction_update' || kind === 'compaction_summary_chunk'
  if (isCompaction && !isFields(at(capabilities, 'session', 'compaction'))) lacks(String(kind))
  checkOptions(update.configOptions, capabilities, found)
  if (kind !== 'tool_call' && kind !== 'tool_call_update') return
  const declared = OUTPUT_KEYS.filter(key => at(capabilities, '_meta', key) === true)
  const meta = isFields(update._meta) ? update._meta : {}
  for (const key of OUTPUT_KEYS) if (key in meta && !declared.includes(key)) lacks(`_meta.${key}`)
  const hasTerminalMeta = 'terminal_info' in meta || 'terminal_exit' in meta
  if (hasTerminalMeta && declared.length === 0) lacks('a terminal in _meta')
  const hasTerminal = toItems(update.content).some(item => item.type === 'terminal')
  if (hasTerminal && declared.length === 0 && capabilities.terminal !== true) lacks('content of type terminal')
}

/** Rule 14 for the options of a session, which stand in responses too. */
export function checkOptions(options: unknown, capabilities: Fields, found: Found[]): void {
  const isTaken = isFields(at(capabilities, 'session', 'configOptions', 'boolean'))
  if (!isTaken && toItems(options).some(option => option.type === 'boolean'))
    found.push({ rule: 14, text: "a boolean option is not among the client's capabilities" })
}

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isFields(inner) ? inner[key] : undefined), value)
}
