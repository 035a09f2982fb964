import type { ProviderAccess } from './providers.js'
import type { ModelFacts } from './types.js'

/** What is certain of the models that Deckhand chooses by itself, and of their neighbours. The rest is unknown, not guessed. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, ModelFacts>>>> = {
  anthropic: {
    'claude-sonnet-5-5': {
      name: 'Claude Sonnet 5.5',
      contextSize: 1_000_000,
      price: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
    },
    'claude-opus-5-5': { name: 'Claude Opus 5.5', contextSize: 1_000_000 },
    'claude-haiku-4-5': { name: 'Claude Haiku 4.5', contextSize: 200_000 },
  },
  // Prices of DeepSeek depend on the hour.
  deepseek: {
    'deepseek-flash': { name: 'DeepSeek Flash', contextSize: 1_000_000, images: true },
    'deepseek-v4-pro': { name: 'DeepSeek V4 Pro', contextSize: 1_000_000, images: false },
  },
  openai: {
    'gpt-6.1-terra': { name: 'GPT-6.1 Terra', contextSize: 922_000 },
  },
}

/** Models to offer where a provider's own list cannot be had. */
export function knownModels({ name, isOfficial }: ProviderAccess): ({ id: string } & ModelFacts)[] {
  if (!isOfficial) return []
  return Object.entries(KNOWN[name] ?? {}).map(([id, facts]) => ({ id, ...facts }))
}

/** What is known of a model: the config counts before what Deckhand knows. */
export function modelFacts(access: ProviderAccess, model: string): ModelFacts & { images: boolean } {
  const shipped = access.isOfficial ? findKnown(KNOWN[access.name] ?? {}, model) : undefined
  const { id: _, ...own } = access.models.find(({ id }) => id === model) ?? { id: model }
  // Every current model of these two takes images; other endpoints answer 400 to one that their model does not take.
  const images = access.isOfficial ? access.kind !== 'deepseek' : access.kind === 'anthropic'
  const levels = thinkingLevels(access, model)
  return { images, ...(levels ? { thinkingLevels: levels } : {}), ...shipped, ...definedOf(own) }
}

/** How the models of Anthropic think, by the generation in their names. */
export function anthropicThinking(model: string): 'always' | 'adaptive' | 'budget' | undefined {
  if (/claude-(?:sonnet-5-5|opus-5-5|fable)/.test(model)) return 'always'
  if (/claude-(?:sonnet-4-6|opus-4-[678]|sonnet-5|opus-5|haiku-5)/.test(model)) return 'adaptive'
  if (/claude-(?:(?:sonnet|opus|haiku)-4|3-7-sonnet)/.test(model)) return 'budget'
  return undefined
}

function thinkingLevels({ kind }: ProviderAccess, model: string): readonly string[] | undefined {
  if (kind === 'deepseek') return /deepseek-(?:v4|flash|pro)/.test(model) ? ['off', 'high', 'max'] : undefined
  if (kind !== 'anthropic') return undefined
  switch (anthropicThinking(model)) {
    case 'always':
      return ['low', 'medium', 'high', 'max']
    case 'adaptive':
      return ['off', 'low', 'medium', 'high', 'max']
    case 'budget':
      return ['off', 'low', 'medium', 'high']
    case undefined:
      return undefined
  }
}

/** By its name, or its name with a date behind. */
function findKnown(known: Readonly<Record<string, ModelFacts>>, model: string): ModelFacts | undefined {
  return Object.entries(known).find(
    ([id]) => model === id || (/^-\d{8}$/.test(model.slice(id.length)) && model.startsWith(id)),
  )?.[1]
}

function definedOf(facts: ModelFacts): ModelFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}
