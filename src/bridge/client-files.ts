import { type AgentContext, methods, RequestError } from '@agentclientprotocol/sdk'
import { HarnessError, isHarnessError, oneLine } from '../cards/index.js'
import type { EditorFiles } from '../workspace/index.js'
import { serializedBytes } from './wire/serialized-size.js'
import { ENVELOPE_BYTES, MAX_MESSAGE_BYTES } from './wire/wire-limits.js'

const METHOD_NOT_FOUND = -32601
const RESOURCE_NOT_FOUND = -32002

/** Bounds of each request, in ms. */
export interface ClientFilesLimits {
  readMs: number
  /** A formatter may run before the file is saved. */
  writeMs: number
  /** For reads of a client that let the last request run into its limit, until it answers anything. */
  silentMs: number
  /** How long a write that is under way is waited for after a cancel. */
  cancelledMs: number
}

const LIMITS: ClientFilesLimits = { readMs: 5000, writeMs: 15_000, silentMs: 500, cancelledMs: 1000 }

/** The files of a client that declares both fs methods, for one session. */
export class ClientFiles implements EditorFiles {
  readonly #limits: ClientFilesLimits
  #isSilent = false

  constructor(
    private readonly client: Pick<AgentContext, 'request'>,
    private readonly sessionId: string,
    limits: Partial<ClientFilesLimits> = {},
  ) {
    this.#limits = { ...LIMITS, ...limits }
  }

  async read(path: string, signal?: AbortSignal): Promise<string | undefined> {
    const { readMs, silentMs } = this.#limits
    const limits = { answerMs: this.#isSilent ? silentMs : readMs, cancelledMs: 0 }
    const answer = await this.#ask(`read ${path}`, limits, signal, () =>
      this.client.request(methods.client.fs.readTextFile, { sessionId: this.sessionId, path }),
    )
    if (answer === undefined) return undefined
    // The SDK does not check what a client answers.
    const content: unknown = answer.value?.content
    if (typeof content !== 'string') throw editorFailed(`The editor did not answer with the text of ${path}.`)
    return content
  }

  async write(path: string, text: string, signal?: AbortSignal): Promise<boolean> {
    const { writeMs, cancelledMs } = this.#limits
    const answer = await this.#ask(`save ${path}`, { answerMs: writeMs, cancelledMs }, signal, () =>
      this.client.request(methods.client.fs.writeTextFile, { sessionId: this.sessionId, path, content: text }),
    )
    return answer !== undefined
  }

  carries(text: string): boolean {
    return serializedBytes(text) <= MAX_MESSAGE_BYTES - ENVELOPE_BYTES
  }

  /** The answer to a request; undefined if the client has no such file or method. */
  async #ask<T>(
    doing: string,
    limits: WaitLimits,
    signal: AbortSignal | undefined,
    request: () => Promise<T>,
  ): Promise<Answer<T> | undefined> {
    if (signal?.aborted) throw aborted(doing)
    try {
      const answer = await waitFor(this.#send(request), limits, signal)
      if (answer === 'cancelled') throw aborted(doing)
      if (answer !== 'late') return answer
    } catch (error) {
      if (isHarnessError(error)) throw error
      const code = error instanceof RequestError ? error.code : undefined
      if (code === METHOD_NOT_FOUND || code === RESOURCE_NOT_FOUND) return undefined
      throw editorFailed(`The editor could not ${doing}: ${toReason(error)}`, error)
    }
    this.#isSilent = true
    const advice = 'If it never answers, set clientFiles: false in the config.'
    throw editorFailed(`The editor did not ${doing} within ${limits.answerMs / 1000} s. ${advice}`)
  }

  async #send<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request()
    } finally {
      // However late the answer is.
      this.#isSilent = false
    }
  }
}

interface WaitLimits {
  answerMs: number
  cancelledMs: number
}

interface Answer<T> {
  value: T
}

async function waitFor<T>(
  answer: Promise<T>,
  { answerMs, cancelledMs }: WaitLimits,
  signal: AbortSignal | undefined,
): Promise<Answer<T> | 'late' | 'cancelled'> {
  let timer: NodeJS.Timeout | undefined
  let onAbort = () => {}
  const ended = new Promise<'late' | 'cancelled'>(resolve => {
    timer = setTimeout(resolve, answerMs, 'late')
    onAbort = () => {
      clearTimeout(timer)
      timer = setTimeout(resolve, cancelledMs, 'cancelled')
    }
    signal?.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([answer.then(value => ({ value })), ended])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

function toReason(error: unknown): string {
  if (!(error instanceof RequestError)) return 'the connection has ended.'
  const { data, message } = error
  const details = typeof data === 'object' && data !== null && 'details' in data ? data.details : data
  return oneLine(typeof details === 'string' ? `${message}: ${details}` : message, 300)
}

function aborted(doing: string): HarnessError {
  return new HarnessError('ABORTED', `The call was stopped before the editor answered the request to ${doing}.`)
}

function editorFailed(message: string, cause?: unknown): HarnessError {
  return new HarnessError('EDITOR_FAILED', message, { cause })
}
