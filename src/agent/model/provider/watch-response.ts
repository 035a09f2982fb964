import { HarnessError } from '../../../cards/index.js'
import type { Fetch } from '../../../network/index.js'
import { ReportedFault } from './fault.js'
import type { ProviderAccess } from './providers.js'

const MAX_ERROR_BYTES = 64 * 1024
const MAX_ANSWER_BYTES = 128 * 1024 * 1024

/** The time limits of one request. Bytes count, not parts: a provider under load sends comments that keep the line open. */
export class ResponseWatch {
  #timer: NodeJS.Timeout | undefined
  readonly #access: Pick<ProviderAccess, 'name' | 'firstByteMs' | 'idleMs'>
  readonly #stop: (reason: HarnessError) => void

  /** `stop` ends the request with the reason. */
  constructor(access: Pick<ProviderAccess, 'name' | 'firstByteMs' | 'idleMs'>, stop: (reason: HarnessError) => void) {
    this.#access = access
    this.#stop = stop
  }

  start(): void {
    const { name, firstByteMs } = this.#access
    this.#arm(firstByteMs, `${name} did not begin to answer within ${inSeconds(firstByteMs)}.`, 'firstByteSeconds')
  }

  /** Something has arrived. */
  alive(): void {
    const { name, idleMs } = this.#access
    this.#arm(idleMs, `${name} stopped in mid-answer: nothing came for ${inSeconds(idleMs)}.`, 'idleSeconds')
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  #arm(ms: number, text: string, setting: string): void {
    clearTimeout(this.#timer)
    const advice = `Send the prompt again, or allow more time with providers.${this.#access.name}.${setting} in the config.`
    this.#timer = setTimeout(() => this.#stop(new HarnessError('MODEL_TIMEOUT', `${text} ${advice}`)), ms)
  }
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
    const response = await fetch(input, init)
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
    return new Response(watched(body, watch, name), { status, statusText, headers })
  }
}

// Not pipeThrough: a transform of its own costs as much as the parsing of what goes through it.
function watched(
  body: ReadableStream<Uint8Array>,
  watch: ResponseWatch | undefined,
  name: string,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let bytes = 0
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        watch?.alive()
        bytes += value.byteLength
        if (bytes > MAX_ANSWER_BYTES) {
          await reader.cancel()
          throw new HarnessError('MODEL_FAILED', `The answer of ${name} is larger than ${MAX_ANSWER_BYTES} bytes.`)
        }
        controller.enqueue(value)
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
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
