import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { JsonValue } from '../../../cards/index.js'
import type { Config } from '../../../config/index.js'
import type { Fetch } from '../../../network/index.js'
import type { RetryLimits } from './retry.js'

/** A model and who serves it, as in `deepseek/deepseek-flash`. A model's own name may hold slashes. */
export interface ModelChoice {
  provider: string
  model: string
}

/** The conversation in the form of the AI SDK, without the system prompt. */
export type ModelPrompt = LanguageModelV3Prompt

export interface ModelRequest {
  system: string
  prompt: ModelPrompt
  /** `parameters` is a JSON Schema of type object. */
  tools: readonly { name: string; description: string; parameters: Record<string, unknown> }[]
  /** One of the model's `thinkingLevels`; anything else counts as not given. */
  thinkingLevel?: string
  maxOutputTokens?: number
}

/** US dollars per million tokens. Without `cacheRead` or `cacheWrite` such tokens cost as much as other input. */
export interface ModelPrice {
  input: number
  output: number
  cacheRead?: number
  cacheWrite?: number
}

/** Tokens of one request, as far as the provider tells. `input` is the whole prompt, cached parts included. */
export interface ModelUsage {
  input?: number
  output?: number
  cacheRead?: number
  cacheWrite?: number
  /** Part of `output`. */
  thinking?: number
}

/** What is known of a model; absent is unknown. */
export interface ModelFacts {
  name?: string
  /** Tokens of prompt that the model takes. */
  contextSize?: number
  maxOutputTokens?: number
  images?: boolean
  thinkingLevels?: readonly string[]
  price?: ModelPrice
}

/**
 * What a model says, in order. `meta` goes back to the provider unchanged, as `providerOptions` of the same part of the
 * conversation. A `call` may run only after `finish`: an answer that breaks off has none.
 */
export type ModelPart =
  | { type: 'text' | 'thought'; id: string; text: string }
  | { type: 'thought-end'; id: string; meta?: JsonValue }
  | { type: 'call-start'; id: string; name: string }
  | { type: 'call-delta'; id: string; text: string }
  /** `arguments` is the text as it came, valid JSON or not. */
  | { type: 'call'; id: string; name: string; arguments: string; meta?: JsonValue }
  | {
      type: 'finish'
      reason: 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'error' | 'other'
      usage: ModelUsage
    }
  /** For the user: a retry that waits, a setting that the provider did not take. */
  | { type: 'notice'; text: string }

export interface Model extends Omit<ModelFacts, 'images'> {
  /** `provider/model`. */
  id: string
  images: boolean
  /**
   * One answer. Throws a HarnessError with a MODEL_ code; after an abort, the signal's reason. Failures before the first
   * content are tried again within bounds; ending the iteration early ends the request.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart>
}

/** Where choices, addresses and keys come from. */
export interface ModelSettings {
  env: Readonly<Record<string, string | undefined>>
  config: Pick<Config, 'model' | 'models' | 'providers' | 'caFile'>
  /** Keys by provider, read when needed: a login counts at the next turn. */
  credentials(): Promise<Readonly<Record<string, string>>>
  fetch: Fetch
  /** How failures are tried again; for tests. */
  retry?: Partial<RetryLimits>
}
