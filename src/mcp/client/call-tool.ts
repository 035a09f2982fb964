import type { Client, Progress } from '@modelcontextprotocol/client'
import { HarnessError, oneLine, text } from '../../cards/index.js'
import type { ActiveExecution } from '../../registry/index.js'
import { anyResult } from './any-result.js'
import { describeFailure } from './describe-failure.js'
import type { RunningCalls } from './running-calls.js'

/** The library's own limit never comes first. */
const NO_LIMIT_MS = 2 ** 31 - 1
const MAX_PROGRESS_CHARS = 500

export interface CallOptions {
  readonly client: Client
  readonly running: RunningCalls
  readonly server: string
  readonly limitMs: number
  /** Why the connection ended; undefined while it stands. */
  ended(): string | undefined
  /** Told of an error that is no answer of the server. */
  onFailure(error: unknown): void
}

/**
 * The server's result as it came. Rejects with MCP_TOOL_FAILED for an error that the server answers, MCP_UNAVAILABLE if it is
 * gone, TIMED_OUT, and the signal's ABORTED; the server is told to stop, and whether it does is not waited for.
 */
export async function callTool(
  { client, running, server, limitMs, ended, onFailure }: CallOptions,
  tool: string,
  args: Record<string, unknown>,
  exec: ActiveExecution,
): Promise<unknown> {
  const { signal } = exec
  const call = running.begin(exec, limitMs)
  const onAbort = () => call.stop.abort(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await client.request({ method: 'tools/call', params: { name: tool, arguments: args } }, anyResult, {
      signal: call.stop.signal,
      timeout: NO_LIMIT_MS,
      onprogress: progress => {
        call.limit.restart()
        exec.progress({ content: [text(toProgressLine(progress))] })
      },
    })
  } catch (cause) {
    if (signal.aborted) throw new HarnessError('ABORTED', 'The call was stopped.', { cause })
    if (call.stop.signal.aborted) throw toTimeout(server, limitMs)
    if (isAnswer(cause)) throw new HarnessError('MCP_TOOL_FAILED', toWords(server, cause), { cause })
    onFailure(cause)
    const reason = ended() ?? describeFailure(cause)
    throw new HarnessError('MCP_UNAVAILABLE', `The MCP server ${server} gave no result: ${reason}.`, { cause })
  } finally {
    signal.removeEventListener('abort', onAbort)
    running.end(call)
  }
}

/** JSON-RPC's codes are numbers; those of the client library are words. */
function isAnswer(cause: unknown): cause is Error & { code: number } {
  return cause instanceof Error && 'code' in cause && Number.isInteger(cause.code) && Number(cause.code) < 0
}

function toWords(server: string, { code, message }: Error & { code: number }): string {
  return `The MCP server ${server} answered with error ${code}: ${oneLine(message, 2000)}`
}

function toTimeout(server: string, limitMs: number): HarnessError {
  const seconds = Math.max(1, Math.round(limitMs / 1000))
  return new HarnessError(
    'TIMED_OUT',
    `The MCP server ${server} gave neither a result nor progress for ${seconds} s. It was told to stop; timeoutMs of the server in the config sets the limit.`,
  )
}

function toProgressLine({ progress, total, message }: Progress): string {
  const part = total !== undefined && total > 0 ? `${Math.round((100 * progress) / total)} %` : String(progress)
  const words = message === undefined ? '' : oneLine(message, MAX_PROGRESS_CHARS)
  return words === '' ? part : `${words} (${part})`
}
