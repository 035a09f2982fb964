import type { Log } from './log-file.js'

/**
 * Keeps what is loaded into this process from ending it, and with it everybody's sessions: `process.exit` throws, and the import
 * or the call that it stands in fails by that. Returns the real one.
 */
export function guardExit(log: Log): (code: number) => never {
  const exit = process.exit.bind(process)
  process.exit = code => {
    const error = new Error(`process.exit(${code ?? ''}) was called; a plugin cannot end the agent`)
    log('error', error)
    throw error
  }
  return exit
}
