import { setFlagsFromString } from 'node:v8'
import type { AgentHost, ClientLink } from '../bridge/connect/index.js'
import { openAgentHost, parseModelChoice } from '../bridge/host/index.js'
import { describeProblem, type LoadedConfig } from '../config/index.js'
import { readEnvironment, toHostSettings } from './environment.js'
import { guardChildren } from './guard-children.js'
import type { Log } from './log-file.js'
import type { ProcessFacts } from './process-facts.js'

/** What the command line adds to the config. */
export interface AcpOptions {
  /** Counts before the environment and the config. */
  model?: string
  /** Absolute paths of plugins. */
  plugin?: readonly string[]
}

/** Opens what the agent's sessions need, from the user's files. Rejects if the connection has ended meanwhile. */
export async function openSessions(
  facts: ProcessFacts,
  { model, plugin = [] }: AcpOptions,
  link: ClientLink,
  log: Log,
): Promise<AgentHost> {
  guardChildren()
  const environment = await readEnvironment(facts)
  const { settings, env } = environment
  for (const problem of settings.problems) log('error', 'config:', describeProblem(settings.path, problem))
  link.signal.throwIfAborted()
  const options = {
    ...toHostSettings(environment),
    pluginPaths: plugin,
    env,
    notices: settings.problems.length === 0 ? [] : [toProblemsNote(settings)],
    ...(model === undefined ? {} : { model }),
    // Not earlier: what opens a first session runs once.
    beforeTurns: tuneEngine,
    log,
  }
  return openAgentHost(options, link)
}

/**
 * Each start of a process copies the tables of all memory in use, and V8 lets its young generation grow to 32 MiB of which one
 * turn uses little: kept as it is at the start, commands start faster and a flood of output peaks lower. A turn runs much code
 * a few times: V8 of Node 20 does that faster if it compiles simply and at once, and optimizes late, which also leaves the
 * second core to the commands.
 */
function tuneEngine(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  // Later ones have other tiers, and complain about flags that they do not know.
  if (!process.versions.v8.startsWith('11.')) return
  for (const flag of ['--no-lazy-feedback-allocation', '--always-sparkplug', '--interrupt-budget=200000']) {
    setFlagsFromString(flag)
  }
}

/** Throws for a model that is none by the user's settings. */
export async function checkModel(facts: ProcessFacts, model: string): Promise<void> {
  parseModelChoice(model, (await readEnvironment(facts)).settings, '--model')
}

/** One line in each thread: more than the first problem stands in the log and in `deckhand doctor`. */
function toProblemsNote({ path, problems: [first, ...others] }: LoadedConfig): string {
  const what = first ? describeProblem(path, first) : path
  const more = others.length === 0 ? '' : ` (and ${others.length} more; "deckhand doctor" shows all)`
  return `The config file has problems, and until they are fixed everything asks first: ${what}${more}`
}
