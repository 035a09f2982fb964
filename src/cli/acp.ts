import { createAgent, parseModelChoice, stdioStream } from '../bridge/index.js'
import { describeProblem, type LoadedConfig } from '../config/index.js'
import { readEnvironment, toHostSettings } from './environment.js'
import { guardStdout } from './guard-stdout.js'
import { logTo } from './log-file.js'

/** What the command line adds to the config. */
interface AcpOptions {
  /** Counts before the environment and the config. */
  model?: string
  /** Absolute paths of plugins. */
  plugin?: readonly string[]
}

/**
 * Runs the agent on stdin and stdout until stdin ends or a signal comes, and ends the process. Throws for a model that is
 * none.
 */
export async function runAcp({ model, plugin = [] }: AcpOptions = {}): Promise<void> {
  const environment = await readEnvironment()
  const { env, settings } = environment
  if (model !== undefined) parseModelChoice(model, settings, '--model')
  const log = logTo(environment)
  for (const problem of settings.problems) log('error', 'config:', describeProblem(settings.path, problem))
  const output = guardStdout(log)
  // One session's fault must not end the others: it is logged, and the call or turn it belongs to fails by its own.
  process.on('uncaughtException', error => log('error', 'uncaught:', error))
  process.on('unhandledRejection', error => log('error', 'unhandled rejection:', error))
  // Node prints warnings on stderr, which editors show to their users.
  process.removeAllListeners('warning')
  process.on('warning', warning => log('warn', warning))

  const agent = createAgent({
    stream: stdioStream(process.stdin, output),
    ...toHostSettings(environment),
    pluginPaths: plugin,
    env,
    notices: settings.problems.length === 0 ? [] : [toProblemsNote(settings)],
    ...(model === undefined ? {} : { model }),
    login: { command: process.execPath, args: [process.argv[1] ?? 'deckhand', 'login'] },
    log,
    check: env.DECKHAND_CHECK === '1' ? 'log' : 'off',
  })
  let exitCode = 0
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const) {
    process.on(signal, () => {
      exitCode = code
      void agent.close()
    })
  }
  await agent.closed
  process.exit(exitCode)
}

/** One line in each thread: more than the first problem stands in the log and in `deckhand doctor`. */
function toProblemsNote({ path, problems: [first, ...others] }: LoadedConfig): string {
  const what = first ? describeProblem(path, first) : path
  const more = others.length === 0 ? '' : ` (and ${others.length} more; "deckhand doctor" shows all)`
  return `The config file has problems, and until they are fixed everything asks first: ${what}${more}`
}
