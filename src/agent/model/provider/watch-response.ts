import { HarnessError } from '../../../cards/index.js'
import type { Fetch } from '../../../network/index.js'
import { ReportedFault } from './fault.js'
import type { ProviderAccess } from './providers.js'

const MAX_ERROR_BYTES = 64 * 1024
const MAX_ANSWER_BYTES = 128 * 1024 * 1024

type Limits = Pick<ProviderAccess, 'name' | 'firstByteMs' | 'idleMs'>

/** The time limits of one request. Bytes count, not parts: a provider under load sends comments that keep the line open. */
export class ResponseWatch {
  #timer: NodeJS.Timeout | undefined
  #hasBegun = false
  readonly #limits: Limits
  readonly #stop: (reason: HarnessError) => void

  /** `stop` ends the request with the reason. */
  constructor(limits: Limits, stop: (reason: HarnessError) => void) {
    this.#limits = limits
    this.#stop = stop
  }

  start(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#stop(tooLate(this.#limits)), this.#limits.firstByteMs)
  }

  /** Something has arrived. */
  alive(): void {
    if (this.#timer === undefined) return
    if (this.#hasBegun) return void this.#timer.refresh()
    this.#hasBegun = true
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#stop(tooLong(this.#limits)), this.#limits.idleMs)
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}

function tooLate({ name, firstByteMs }: Limits): HarnessError {
  return timeout(name, `${name} did not begin to answer within ${inSeconds(firstByteMs)}.`, 'firstByteSeconds')
}

function tooLong({ name, idleMs }: Limits): HarnessError {
  return timeout(name, `${name} stopped in mid-answer: nothing came for ${inSeconds(idleMs)}.`, 'idleSeconds')
}

function timeout(name: string, text: string, setting: string): HarnessError {
  const advice = `Send the prompt again, or allow more time with providers.${name}.${setting} in the config.`
  return new HarnessError('MODEL_TIMEOUT', `${text} ${advice}`)
}

/** The watches of the requests under way, by their signals: a model's client, and its `fetch`, outlive a request. */
const watches = new WeakMap<AbortSignal, ResponseWatch>()

/** Has the answer to the request with this signal watched. */
export function watchRequest(signal: AbortSignal, watch: ResponseWatch): void {
  watches.set(signal, watch)
}

/** A `fetch` whose answers are watched and bounded, and whose errors are whole responses of bounded size. */
export function watchedFetch(fetch: Fetch, { name, baseUrl }: ProviderAccess): Fetch {
  return async (input, init) => {
    const watch = init?.signal ? watches.get(init.signal) : undefined
    watch?.start()
    const response = await fetch(input, { ...init, onBytes: byteCounter(name, watch) })
    const { status, statusText, headers, body } = response
    if (body === null) return response
    if (!response.ok) return new Response(await readStart(body), { status, statusText, headers })
    const type = headers.get('content-type') ?? ''
    if (/text\/html/i.test(type)) {
      await body.cancel()
      throw new HarnessError(
        'MODEL_FAILED',
        `${new URL(baseUrl).host} answered with a web page, not with a model's answer. Check the address of ${name}: it usually ends in /v1.`,
      )
    }
    if (/application\/json/i.test(type)) throw await toJsonFailure(body, name)
    return response
  }
}

function byteCounter(name: string, watch: ResponseWatch | undefined): (bytes: number) => void {
  let total = 0
  return bytes => {
    watch?.alive()
    total += bytes
    if (total <= MAX_ANSWER_BYTES) return
    throw new HarnessError('MODEL_FAILED', `The answer of ${name} is larger than ${MAX_ANSWER_BYTES} bytes.`)
  }
}

/** A whole JSON document in place of a stream: in practice an error with the wrong status. */
async function toJsonFailure(body: ReadableStream<Uint8Array>, name: string): Promise<Error> {
  const text = new TextDecoder().decode(await readStart(body))
  let message = 'Check that the address is that of chat completions with streaming.'
  try {
    const { error } = JSON.parse(text) as { error?: unknown }
    if (typeof error === 'object' && error !== null) return new ReportedFault(error)
    if (typeof error === 'string') message = error
  } catch {
    // No JSON after all: the general words hold.
  }
  return new HarnessError('MODEL_FAILED', `${name} answered without a stream. ${message}`)
}

/** The first bytes of a body; the rest is left unread. */
async function readStart(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const reader = body.getReader()
  while (bytes < MAX_ERROR_BYTES) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    bytes += value.byteLength
  }
  reader.cancel().catch(() => {})
  return new Uint8Array(Buffer.concat(chunks).subarray(0, MAX_ERROR_BYTES))
}

function inSeconds(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`
}
