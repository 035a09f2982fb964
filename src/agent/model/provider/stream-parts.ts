import type { LanguageModelV3StreamPart, LanguageModelV3Usage, SharedV3ProviderMetadata } from '@ai-sdk/provider'
import { HarnessError, type JsonValue } from '../../../cards/index.js'
import { ReportedFault } from './fault.js'
import type { ModelPart, ModelUsage } from './types.js'

const NONE: readonly ModelPart[] = []

/**
 * Parts of the AI SDK as parts of ours, in order and without a delay. Throws what the provider reports in mid-stream, and
 * MODEL_STREAM_DROPPED if the stream ends without a reason, so that no half answer passes for a whole one.
 */
export class StreamParts {
  readonly #blocks = new Blocks()
  #isFinished = false

  take(part: LanguageModelV3StreamPart): readonly ModelPart[] {
    const blocks = this.#blocks
    switch (part.type) {
      case 'text-start':
        blocks.open(part.type, part.id)
        return NONE
      case 'text-delta':
        return part.delta === '' ? NONE : [{ type: 'text', id: blocks.idOf('text-start', part.id), text: part.delta }]
      case 'reasoning-start':
        blocks.open(part.type, part.id, part.providerMetadata)
        return NONE
      case 'reasoning-delta':
        blocks.note(part.id, part.providerMetadata)
        if (part.delta === '') return NONE
        return [{ type: 'thought', id: blocks.idOf('reasoning-start', part.id), text: part.delta }]
      case 'reasoning-end': {
        blocks.note(part.id, part.providerMetadata)
        const meta = blocks.metaOf(part.id)
        return [{ type: 'thought-end', id: blocks.idOf('reasoning-start', part.id), ...(meta ? { meta } : {}) }]
      }
      case 'tool-input-start':
        if (part.providerExecuted) return NONE
        blocks.begin(part.id)
        return [{ type: 'call-start', id: part.id, name: part.toolName }]
      case 'tool-input-delta':
        if (part.delta === '' || !blocks.hasBegun(part.id)) return NONE
        return [{ type: 'call-delta', id: part.id, text: part.delta }]
      case 'tool-call': {
        if (part.providerExecuted) return NONE
        const { toolCallId: id, toolName: name, input } = part
        const meta = toCallMeta(part.providerMetadata)
        const call: ModelPart = { type: 'call', id, name, arguments: input, ...(meta ? { meta } : {}) }
        return blocks.hasBegun(id) ? [call] : [{ type: 'call-start', id, name }, call]
      }
      case 'error':
        throw part.error instanceof Error ? part.error : new ReportedFault(part.error)
      case 'finish': {
        const { unified: reason, raw } = part.finishReason
        if (raw === undefined) throw dropped()
        // DeepSeek's word for a server that ran out of room while it answered.
        if (raw === 'insufficient_system_resource') throw new ReportedFault({ type: 'overloaded_error', message: raw })
        this.#isFinished = true
        return [{ type: 'finish', reason, usage: toUsage(part.usage) }]
      }
      default:
        return NONE
    }
  }

  /** The stream is at its end. */
  end(): void {
    if (!this.#isFinished) throw dropped()
  }
}

function dropped(): HarnessError {
  return new HarnessError(
    'MODEL_STREAM_DROPPED',
    'The answer broke off before its end. Send the prompt again to go on.',
  )
}

/** Ids of blocks, unique in the answer: some packages use one id for all texts. */
class Blocks {
  #count = 0
  #ids = new Map<string, string>()
  #meta = new Map<string, SharedV3ProviderMetadata>()
  #calls = new Set<string>()

  open(kind: string, id: string, meta?: SharedV3ProviderMetadata): void {
    this.#ids.set(`${kind} ${id}`, `b${this.#count++}`)
    this.#meta.delete(id)
    this.note(id, meta)
  }

  idOf(kind: string, id: string): string {
    const own = this.#ids.get(`${kind} ${id}`)
    if (own !== undefined) return own
    this.open(kind, id)
    return this.idOf(kind, id)
  }

  note(id: string, meta: SharedV3ProviderMetadata | undefined): void {
    if (meta === undefined) return
    const merged = { ...this.#meta.get(id) }
    for (const [provider, values] of Object.entries(meta)) merged[provider] = { ...merged[provider], ...values }
    this.#meta.set(id, merged)
  }

  metaOf(id: string): JsonValue | undefined {
    return this.#meta.get(id) as JsonValue | undefined
  }

  begin(callId: string): void {
    this.#calls.add(callId)
  }

  hasBegun(callId: string): boolean {
    return this.#calls.has(callId)
  }
}

/** Google's models want the signature of a call back under their own name, whatever the endpoint is called. */
function toCallMeta(meta: SharedV3ProviderMetadata | undefined): JsonValue | undefined {
  if (meta === undefined) return undefined
  const signature = Object.values(meta).find(values => 'thoughtSignature' in values)?.thoughtSignature
  return typeof signature === 'string' ? { google: { thoughtSignature: signature } } : (meta as JsonValue)
}

function toUsage({ inputTokens, outputTokens }: LanguageModelV3Usage): ModelUsage {
  return {
    ...(inputTokens.total === undefined ? {} : { input: inputTokens.total }),
    ...(outputTokens.total === undefined ? {} : { output: outputTokens.total }),
    ...(inputTokens.cacheRead ? { cacheRead: inputTokens.cacheRead } : {}),
    ...(inputTokens.cacheWrite ? { cacheWrite: inputTokens.cacheWrite } : {}),
    ...(outputTokens.reasoning ? { thinking: outputTokens.reasoning } : {}),
  }
}
