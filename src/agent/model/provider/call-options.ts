import type { LanguageModelV3CallOptions, LanguageModelV3Message, SharedV3ProviderOptions } from '@ai-sdk/provider'
import { fitPrompt } from './fit-prompt.js'
import { anthropicThinking } from './known-models.js'
import type { ProviderAccess } from './providers.js'
import type { ModelFacts, ModelRequest } from './types.js'

interface OptionsInput {
  access: ProviderAccess
  model: string
  facts: ModelFacts & { images: boolean }
  request: ModelRequest
  /** The provider takes tools only with thinking switched off. */
  noThinking: boolean
}

type ToolSchema = Extract<NonNullable<LanguageModelV3CallOptions['tools']>[number], { type: 'function' }>['inputSchema']

/** A request in the form of the AI SDK, with what its provider needs besides: thinking, cache markers, fitting parts. */
export function toCallOptions({ access, model, facts, request, noThinking }: OptionsInput): LanguageModelV3CallOptions {
  const { system, prompt, tools, maxOutputTokens = facts.maxOutputTokens } = request
  const level = facts.thinkingLevels?.find(known => known === request.thinkingLevel)
  const fitted = fitPrompt(prompt, { images: facts.images, imagesInResults: access.kind === 'anthropic' })
  const messages: LanguageModelV3Message[] = system ? [{ role: 'system', content: system }, ...fitted] : fitted
  const providerOptions = toProviderOptions(access, model, level, noThinking && tools.length > 0)
  return {
    prompt: access.kind === 'anthropic' ? withCacheMarkers(messages) : messages,
    ...(tools.length > 0
      ? {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function' as const,
            name,
            description,
            inputSchema: parameters as ToolSchema,
          })),
          toolChoice: { type: 'auto' as const },
        }
      : {}),
    ...(maxOutputTokens ? { maxOutputTokens } : {}),
    ...(providerOptions ? { providerOptions } : {}),
  }
}

function toProviderOptions(
  { kind }: ProviderAccess,
  model: string,
  level: string | undefined,
  noThinking: boolean,
): SharedV3ProviderOptions | undefined {
  switch (kind) {
    case 'anthropic': {
      const options = anthropicOptions(model, level)
      return options && { anthropic: options }
    }
    case 'deepseek':
      if (level === undefined) return undefined
      return {
        deepseek:
          level === 'off'
            ? { thinking: { type: 'disabled' } }
            : { thinking: { type: 'enabled' }, reasoningEffort: level },
      }
    case 'chat': {
      const effort = noThinking ? 'none' : level
      return effort === undefined ? undefined : { openaiCompatible: { reasoningEffort: effort } }
    }
  }
}

const BUDGETS: Readonly<Record<string, number>> = { low: 4096, medium: 12_288, high: 24_576 }

function anthropicOptions(model: string, level: string | undefined): SharedV3ProviderOptions[string] | undefined {
  const thinking = anthropicThinking(model)
  if (level === 'off') return { thinking: { type: 'disabled' } }
  if (thinking === 'budget') {
    const budgetTokens = level && BUDGETS[level]
    return budgetTokens ? { thinking: { type: 'enabled', budgetTokens } } : undefined
  }
  if (thinking === undefined) return level ? { effort: level } : undefined
  // From 4.7 on the text of thoughts comes only if it is asked for; the generation before does not know the question.
  const display = /-4-6/.test(model) ? {} : { display: 'summarized' }
  return { thinking: { type: 'adaptive', ...display }, ...(level ? { effort: level } : {}) }
}

const CACHE = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const

/**
 * Marks the system prompt (with the tools, which come before it) and the ends of the last two messages that are not the
 * model's: the next request finds the longest prefix again, also if the newest part of it changed.
 */
function withCacheMarkers(messages: readonly LanguageModelV3Message[]): LanguageModelV3Message[] {
  const ends = messages.flatMap(({ role }, index) => (role === 'user' || role === 'tool' ? [index] : [])).slice(-2)
  return messages.map((message, index) =>
    message.role === 'system' || ends.includes(index)
      ? { ...message, providerOptions: { ...message.providerOptions, ...CACHE } }
      : message,
  )
}
