import { oneLine } from '../cards/index.js'

const MAX_REASON_CHARS = 300

/** What has become of one plugin. */
export interface PluginReport {
  /** As the config or the command line has it. */
  readonly source: string
  /** Its own name, else its package's, else `source`. */
  readonly label: string
  readonly state: 'loading' | 'loaded' | 'failed'
  /** Registered tools of its list `tools`. */
  readonly tools: readonly string[]
  readonly problems: readonly string[]
}

/** What the user needs to know at the start of a thread, in one line; none if all is well. */
export function toPluginNotices(reports: readonly PluginReport[]): string[] {
  const [first, ...others] = reports.flatMap(describe)
  if (first === undefined) return []
  const more = others.length === 0 ? '' : ` (and ${others.length} more; "deckhand doctor" shows all)`
  return [`Plugin ${first}${more}`]
}

/** The answer to a reload, in one line. */
export function toReloadText(reports: readonly PluginReport[], unended: readonly string[]): string {
  const loaded = reports.filter(({ state }) => state === 'loaded')
  const parts = [
    loaded.length === 0 ? 'No plugins are loaded.' : `Plugins loaded: ${loaded.map(toName).join(', ')}.`,
    ...reports.flatMap(describe).map(problem => `Plugin ${problem}`),
    ...unended.map(label => `The earlier ${label} did not end in time.`),
  ]
  return parts.join(' ')
}

function toName({ label, tools }: PluginReport): string {
  return tools.length === 0 ? label : `${label} (${tools.join(', ')})`
}

function describe({ label, state, problems }: PluginReport): string[] {
  if (state === 'loading') return [`${label} is still loading; its tools come when it is.`]
  const what = state === 'failed' ? ' could not be loaded' : ''
  return problems.map(problem => `${label}${what}: ${oneLine(problem, MAX_REASON_CHARS)}`)
}
