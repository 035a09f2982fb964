import { serveAgent, stdioStream } from '../bridge/connect/index.js'
import type { AcpOptions } from './agent-sessions.js'
import { keepCompiled } from './compile-cache.js'
import { guardExit } from './guard-exit.js'
import { guardStdout } from './guard-stdout.js'
import { logTo } from './log-file.js'
import { processFacts } from './process-facts.js'

/**
 * Runs the agent on stdin and stdout until stdin ends or a signal comes, and ends the process. Throws for a model that is
 * none.
 */
export async function runAcp(options: AcpOptions = {}): Promise<void> {
  const facts = processFacts()
  if (options.model !== undefined) await (await import('./agent-sessions.js')).checkModel(facts, options.model)
  const log = logTo(facts)
  const output = guardStdout(log)
  const exit = guardExit(log)
  // One session's fault must not end the others: it is logged, and the call or turn it belongs to fails by its own.
  process.on('uncaughtException', error => log('error', 'uncaught:', error))
  process.on('unhandledRejection', error => log('error', 'unhandled rejection:', error))
  // Node prints warnings on stderr, which editors show to their users.
  process.removeAllListeners('warning')
  process.on('warning', warning => log('warn', warning))

  const isChecked = facts.env.DECKHAND_CHECK === '1'
  const agent = serveAgent({
    stream: stdioStream(process.stdin, output),
    login: { command: process.execPath, args: [process.argv[1] ?? 'deckhand', 'login'] },
    log,
    ...(isChecked ? { onMessage: (await import('../bridge/check/index.js')).checkMessages('log', log) } : {}),
    open: async link => {
      keepCompiled(facts.stateDir)
      // Most of the program is behind this import.
      const { openSessions } = await import('./agent-sessions.js')
      return openSessions(facts, options, link, log)
    },
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
  exit(exitCode)
}
