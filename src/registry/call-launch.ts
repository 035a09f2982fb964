import { HarnessError } from '../cards/index.js'
import type { Launch, Launcher, ToolExecution } from './types.js'

/** The innermost `exec.launch` of one call, and what ends it. */
export interface CallLaunch {
  launch: Launch
  /** No launch after this. A call without a session kills what it started; undefined if there is nothing to wait for. */
  close(): Promise<void> | undefined
}

/** Binds the launcher to the call's owner: its session, or without one the call itself. */
export function createCallLaunch(exec: ToolExecution, findLauncher: () => Launcher | undefined): CallLaunch {
  const owner = exec.agent?.sessionId ?? exec.callId
  const ownsProcesses = exec.agent === undefined
  let used: Launcher | undefined
  let closed = false

  return {
    async launch(command, options) {
      if (closed) throw new HarnessError('ABORTED', 'The call is over; it starts no process any more.')
      const launcher = findLauncher()
      if (launcher === undefined) {
        throw new HarnessError('SPAWN_FAILED', `No launcher is installed; ${command[0]} was not started.`)
      }
      used = launcher
      const process = await launcher.launch(owner, command, options)
      // The call ended while the process was starting: the release did not see it.
      if (closed && ownsProcesses) await launcher.release(owner)
      return process
    },
    close() {
      closed = true
      return ownsProcesses ? used?.release(owner) : undefined
    },
  }
}
