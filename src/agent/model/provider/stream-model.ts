import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider'
import { HarnessError } from '../../../cards/index.js'
import { type ModelFailure, toModelFailure } from './model-failure.js'
import type { ProviderAccess } from './providers.js'
import { RETRY_LIMITS, type RetryLimits, retryWaitMs, wait } from './retry.js'
import { toModelParts } from './stream-parts.js'
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
    let hasContent = false
    let failure: ModelFailure
    try {
      for await (const part of tryOnce(source, signal)) {
        hasContent = true
        yield part
      }
      return
    } catch (error) {
      signal.throwIfAborted()
      failure = toModelFailure(error, source)
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

/** One request. However it ends, nothing of it is left: no socket, no timer, no listener. */
async function* tryOnce(source: StreamSource, signal: AbortSignal): AsyncGenerator<ModelPart> {
  const { access, languageModel, options } = source
  const request = new AbortController()
  const cancel = () => request.abort(signal.reason)
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  const watch = new ResponseWatch(access, reason => request.abort(reason))
  try {
    watchRequest(request.signal, watch)
    const { stream } = await languageModel.doStream({ ...options(), abortSignal: request.signal })
    yield* toModelParts(stream)
  } catch (error) {
    // A time limit ends the request by its signal: the reason is the error, not what became of the stream.
    throw request.signal.aborted ? request.signal.reason : error
  } finally {
    watch.end()
    signal.removeEventListener('abort', cancel)
    request.abort(ENDED)
  }
}
