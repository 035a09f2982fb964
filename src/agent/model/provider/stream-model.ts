import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { HarnessError } from '../../../cards/index.js'
import { type ModelFailure, toModelFailure } from './model-failure.js'
import type { ProviderAccess } from './providers.js'
import { RETRY_LIMITS, type RetryLimits, retryWaitMs, wait } from './retry.js'
import { StreamParts } from './stream-parts.js'
import type { ModelPart } from './types.js'
import { ResponseWatch, watchRequest } from './watch-response.js'

export interface StreamSource {
  access: ProviderAccess
  model: string
  languageModel: LanguageModelV3
  /** Made anew for each try. */
  options: () => LanguageModelV3CallOptions
  /** Changes `options` so that this failure does not come again; the text of a notice, or undefined if it cannot. */
  adapt: (failure: ModelFailure) => string | undefined
  retry?: Partial<RetryLimits>
}

/** One answer of a model, with failures before its first content tried again. See {@link Model.stream}. */
export async function* streamModel(source: StreamSource, signal: AbortSignal): AsyncGenerator<ModelPart> {
  const limits = { ...RETRY_LIMITS, ...source.retry }
  let waitedMs = 0
  let hasAdapted = false
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    const request = new OneRequest(source, signal)
    let hasContent = false
    let failure: ModelFailure
    try {
      const reader = await request.open()
      const parts = new StreamParts()
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        for (const part of parts.take(read.value)) {
          hasContent = true
          yield part
        }
      }
      request.isDone = true
      return parts.end()
    } catch (error) {
      signal.throwIfAborted()
      failure = toModelFailure(request.reasonOf(error), source)
    } finally {
      request.end()
    }
    if (hasContent) throw failure.error
    const change = hasAdapted ? undefined : source.adapt(failure)
    if (change !== undefined) {
      hasAdapted = true
      yield { type: 'notice', text: change }
      continue
    }
    const mayTry = failure.retry === 'yes' || (failure.retry === 'once' && attempt === 1)
    const waitMs = mayTry ? retryWaitMs(attempt, waitedMs, failure.retryAfterMs, limits) : undefined
    if (waitMs === undefined) throw failure.error
    yield { type: 'notice', text: toNotice(source.access, failure, waitMs, attempt, limits) }
    await wait(waitMs, signal)
    waitedMs += waitMs
  }
}

function toNotice(
  { name }: ProviderAccess,
  { reason, retry }: ModelFailure,
  waitMs: number,
  attempt: number,
  { tries }: RetryLimits,
): string {
  const seconds = Math.max(1, Math.round(waitMs / 1000))
  return `${name}: ${reason}. Trying again in ${seconds} s (try ${attempt + 1} of ${retry === 'once' ? 2 : tries}).`
}

/** Why a request that is over is aborted: made once, since an error with its stack for each costs more than the abort. */
const ENDED = new HarnessError('ABORTED', 'The request has ended.')

/** One request. Once it is ended, nothing of it is left: no socket, no timer, no listener. */
class OneRequest {
  /** Its answer has been read to the end. */
  isDone = false
  readonly #source: StreamSource
  readonly #signal: AbortSignal
  readonly #stop = new AbortController()
  readonly #cancel = () => this.#stop.abort(this.#signal.reason)
  readonly #watch: ResponseWatch

  constructor(source: StreamSource, signal: AbortSignal) {
    this.#source = source
    this.#signal = signal
    this.#watch = new ResponseWatch(source.access, reason => this.#stop.abort(reason))
    signal.addEventListener('abort', this.#cancel, { once: true })
    watchRequest(this.#stop.signal, this.#watch)
  }

  async open(): Promise<ReadableStreamDefaultReader<LanguageModelV3StreamPart>> {
    const { languageModel, options } = this.#source
    const { stream } = await languageModel.doStream({ ...options(), abortSignal: this.#stop.signal })
    return stream.getReader()
  }

  /** A time limit ends the request by its signal: the reason is the error, not what became of the stream. */
  reasonOf(error: unknown): unknown {
    const { aborted, reason } = this.#stop.signal
    return aborted ? reason : error
  }

  end(): void {
    this.#watch.end()
    this.#signal.removeEventListener('abort', this.#cancel)
    if (!this.isDone) this.#stop.abort(ENDED)
  }
}
