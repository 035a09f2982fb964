import { HarnessError } from '../../../cards/index.js'
import { isLocalHost } from './local-host.js'
import type { ModelFacts, ModelSettings } from './types.js'

/** How a provider is spoken to: OpenAI's chat completions, Anthropic's messages, DeepSeek's chat completions. */
type ProviderKind = 'chat' | 'anthropic' | 'deepseek'

interface ShippedProvider {
  kind: ProviderKind
  baseUrl: string
  baseUrlVariable?: string
  keyVariable: string
  defaultModel: string
  /** Where a user gets a key. */
  keyPage: string
}

const SHIPPED: Readonly<Record<string, ShippedProvider>> = {
  anthropic: {
    kind: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    keyVariable: 'ANTHROPIC_API_KEY',
    defaultModel: 'claude-sonnet-5-5',
    keyPage: 'https://platform.claude.com/settings/keys',
  },
  deepseek: {
    kind: 'deepseek',
    baseUrl: 'https://api.deepseek.com',
    keyVariable: 'DEEPSEEK_API_KEY',
    defaultModel: 'deepseek-flash',
    keyPage: 'https://platform.deepseek.com/api_keys',
  },
  openai: {
    kind: 'chat',
    baseUrl: 'https://api.openai.com/v1',
    baseUrlVariable: 'OPENAI_BASE_URL',
    keyVariable: 'OPENAI_API_KEY',
    defaultModel: 'gpt-6.1-terra',
    keyPage: 'https://platform.openai.com/api-keys',
  },
}

const FIRST_BYTE_MS = 60_000
/** A model on the user's own machine is loaded first, and reads a long prompt for minutes. */
const LOCAL_FIRST_BYTE_MS = 300_000
const IDLE_MS = 120_000

/** One provider as it is set up: how to reach it, with which key, and which models are named for it. */
export interface ProviderAccess {
  name: string
  kind: ProviderKind
  baseUrl: string
  /** The address is the provider's own: what is known of its models holds. */
  isOfficial: boolean
  key?: string
  keySource?: 'environment' | 'file'
  keyVariable?: string
  keyPage?: string
  /** Requests make no sense without a key. */
  needsKey: boolean
  headers: Readonly<Record<string, string>>
  /** Named in the config, in its order. */
  models: readonly ({ id: string } & ModelFacts)[]
  defaultModel?: string
  firstByteMs: number
  idleMs: number
}

/** Names of all providers that a choice may name: the shipped ones and those of the config. */
export function providerNames({ config }: Pick<ModelSettings, 'config'>): string[] {
  return [...new Set([...Object.keys(SHIPPED), ...Object.keys(config.providers)])]
}

/** The provider of this name. Throws MODEL_UNKNOWN if there is none, or if the config gives it no address. */
export function resolveProvider(
  name: string,
  { env, config }: Pick<ModelSettings, 'env' | 'config'>,
  credentials: Readonly<Record<string, string>>,
): ProviderAccess {
  const shipped = Object.hasOwn(SHIPPED, name) ? SHIPPED[name] : undefined
  const own = Object.hasOwn(config.providers, name) ? config.providers[name] : undefined
  if (shipped === undefined && own === undefined) {
    throw new HarnessError(
      'MODEL_UNKNOWN',
      `There is no provider ${JSON.stringify(name)}. Known: ${providerNames({ config }).join(', ')}. Others are added under "providers" in the config, with a baseUrl.`,
    )
  }
  const elsewhere = (shipped?.baseUrlVariable && env[shipped.baseUrlVariable]) || own?.baseUrl
  const baseUrl = toBaseUrl(name, shipped?.kind, elsewhere ?? shipped?.baseUrl)
  const isOfficial = elsewhere === undefined
  const keyVariable = own?.keyVariable ?? shipped?.keyVariable
  const fromEnvironment = keyVariable ? env[keyVariable]?.trim() : undefined
  const key = fromEnvironment || (Object.hasOwn(credentials, name) ? credentials[name] : undefined)
  const models = [
    ...config.models.flatMap(({ id, ...facts }) =>
      id.startsWith(`${name}/`) ? [{ ...facts, id: id.slice(name.length + 1) }] : [],
    ),
    ...(own?.models ?? []),
  ]
  // A gateway to Anthropic or DeepSeek offers their models; what stands behind another address is not known.
  const offersShipped = isOfficial || shipped?.kind !== 'chat'
  const defaultModel =
    (name === 'openai' && env.OPENAI_MODEL?.trim()) ||
    (offersShipped ? shipped?.defaultModel : undefined) ||
    models[0]?.id
  return {
    name,
    kind: shipped?.kind ?? 'chat',
    baseUrl,
    isOfficial: isOfficial && shipped !== undefined,
    ...(key ? { key, keySource: fromEnvironment ? 'environment' : 'file' } : {}),
    ...(keyVariable ? { keyVariable } : {}),
    ...(isOfficial && shipped ? { keyPage: shipped.keyPage } : {}),
    needsKey: isOfficial ? shipped !== undefined : own?.keyVariable !== undefined,
    headers: own?.headers ?? {},
    models,
    ...(defaultModel ? { defaultModel } : {}),
    firstByteMs: own?.firstByteSeconds
      ? own.firstByteSeconds * 1000
      : isLocalHost(baseUrl)
        ? LOCAL_FIRST_BYTE_MS
        : FIRST_BYTE_MS,
    idleMs: own?.idleSeconds ? own.idleSeconds * 1000 : IDLE_MS,
  }
}

function toBaseUrl(name: string, kind: ProviderKind | undefined, value: string | undefined): string {
  if (!value || !URL.canParse(value) || !/^https?:/.test(value)) {
    throw new HarnessError(
      'MODEL_UNKNOWN',
      `The provider ${name} has no ${value ? 'valid ' : ''}address. Give it a baseUrl under providers.${name} in the config, as http://127.0.0.1:11434/v1.`,
    )
  }
  const url = value.replace(/\/+$/, '')
  // ANTHROPIC_BASE_URL is written without the version by custom; the requests are made below it.
  return kind === 'anthropic' && !/\/v\d+$/.test(url) ? `${url}/v1` : url
}
