import { tmpdir } from 'node:os'
import { isHarnessError } from '../../cards/index.js'
import type { ActiveExecution, Command, Launcher, ProcessExit } from '../../registry/index.js'
import type { HookOptions } from './options.js'

const DEFAULT_TIMEOUT_MS = 10_000
const MAX_TIMEOUT_MS = 300_000
const MAX_OUTPUT_BYTES = 64 * 1024

/** How a hook ended. `failure` says why it gave no answer. */
export interface HookRun {
  readonly exit: ProcessExit
  readonly stdout: string
  readonly stderr: string
  /** More was written to stdout than is kept. */
  readonly isCut: boolean
  readonly failure?: string
}

/**
 * Runs one hook with `input` on its standard input, for the call's session, until it ends, its time is over or the call is
 * stopped, and then kills it. What it leaves in the background lives as long as the session. Never rejects.
 */
export async function runHook(
  launcher: Launcher,
  hook: HookOptions,
  exec: ActiveExecution,
  input: string,
): Promise<HookRun> {
  const stdout = new BoundedOutput()
  const stderr = new BoundedOutput()
  const end = (exit: ProcessExit, failure?: string): HookRun => ({
    exit,
    stdout: stdout.read(),
    stderr: stderr.read(),
    isCut: stdout.isCut,
    ...(failure !== undefined && { failure }),
  })
  try {
    const child = await launcher.launch(exec.agent?.sessionId ?? exec.callId, toCommand(hook.command), {
      cwd: exec.agent?.cwd ?? tmpdir(),
      input,
      onOutput: (chunk, stream) => (stream === 'stdout' ? stdout : stderr).push(chunk),
    })
    const timeoutMs = Math.min(hook.timeoutMs ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS)
    const stop = waitForStop(exec.signal, timeoutMs)
    const exit = await Promise.race([child.exited, stop.reason])
    stop.release()
    if (typeof exit !== 'string') return end(exit)
    await child.kill()
    return end({}, exit)
  } catch (error) {
    return end({}, isHarnessError(error) ? error.message : String(error))
  }
}

function toCommand(command: HookOptions['command']): Command {
  if (typeof command !== 'string') {
    const [program = '', ...args] = command
    return [program, ...args]
  }
  if (process.platform !== 'win32') return ['/bin/sh', '-c', command]
  return ['powershell.exe', '-NoLogo', '-NoProfile', '-NonInteractive', '-Command', command]
}

function waitForStop(signal: AbortSignal, timeoutMs: number): { reason: Promise<string>; release(): void } {
  let release = () => {}
  const reason = new Promise<string>(resolve => {
    const onAbort = () => resolve('the call was stopped')
    const timer = setTimeout(() => resolve(`it took longer than ${timeoutMs} ms`), timeoutMs)
    release = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
  })
  return { reason, release: () => release() }
}

/** The first bytes of what is pushed. */
class BoundedOutput {
  readonly #chunks: Uint8Array[] = []
  #bytes = 0
  isCut = false

  push(chunk: Uint8Array): void {
    const taken = chunk.subarray(0, MAX_OUTPUT_BYTES - this.#bytes)
    if (taken.length < chunk.length) this.isCut = true
    if (taken.length === 0) return
    this.#chunks.push(taken)
    this.#bytes += taken.length
  }

  read(): string {
    return Buffer.concat(this.#chunks).toString('utf8')
  }
}
