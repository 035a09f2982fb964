import { createHash } from 'node:crypto'
import { type HarnessError, isRecord } from '../../../cards/index.js'
import { readFault } from './fault.js'
import { knownModels } from './known-models.js'
import { toModelFailure } from './model-failure.js'
import { type ProviderAccess, resolveProvider } from './providers.js'
import type { ModelFacts, ModelSettings } from './types.js'

const LIST_LIMIT_MS = 5000
const MAX_BYTES = 8 * 1024 * 1024
const MAX_MODELS = 500
const FRESH_MS = 10 * 60_000
/** A list that failed is not asked for again at every turn. */
const FAILED_MS = 60_000

export type ListedModel = { id: string } & ModelFacts

const cache = new Map<string, { untilMs: number; models: Promise<ListedModel[] | HarnessError> }>()

/**
 * Models to offer for a provider: those of the config first, then those that its endpoint lists (asked for at most 5 s, kept
 * for 10 minutes). Never rejects: without a list there are the models of the config, and those that Deckhand knows.
 */
export async function listModels(provider: string, settings: ModelSettings): Promise<ListedModel[]> {
  let access: ProviderAccess
  try {
    access = resolveProvider(provider, settings, await settings.credentials())
  } catch {
    return []
  }
  const canAsk = !access.needsKey || access.key !== undefined
  const listed = canAsk ? await cachedList(access, settings.fetch) : []
  const others = Array.isArray(listed) && listed.length > 0 ? listed : knownModels(access)
  const known = new Map(knownModels(access).map(model => [model.id, model]))
  const named = new Set(access.models.map(({ id }) => id))
  return [
    ...access.models,
    ...others.filter(({ id }) => !named.has(id)).map(model => ({ ...model, ...known.get(model.id) })),
  ]
}

function cachedList(access: ProviderAccess, fetch: ModelSettings['fetch']): Promise<ListedModel[] | HarnessError> {
  const key = createHash('sha256')
    .update(`${access.baseUrl} ${access.key ?? ''}`)
    .digest('hex')
  const found = cache.get(key)
  if (found && found.untilMs > Date.now()) return found.models
  const models = fetchModels(access, fetch)
  const entry = { untilMs: Date.now() + FRESH_MS, models }
  cache.set(key, entry)
  models.then(result => {
    if (!Array.isArray(result)) entry.untilMs = Date.now() + FAILED_MS
  })
  return models
}

/** What the endpoint lists, or why it does not. */
export async function fetchModels(
  access: ProviderAccess,
  fetch: ModelSettings['fetch'],
  limitMs = LIST_LIMIT_MS,
): Promise<ListedModel[] | HarnessError> {
  const { baseUrl, kind, key, headers } = access
  const own: Record<string, string> = {}
  if (kind === 'anthropic') own['anthropic-version'] = '2023-06-01'
  if (key) own[kind === 'anthropic' ? 'x-api-key' : 'authorization'] = kind === 'anthropic' ? key : `Bearer ${key}`
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })), limitMs)
  try {
    const query = kind === 'anthropic' ? '?limit=1000' : ''
    const response = await fetch(`${baseUrl}/models${query}`, { headers: { ...own, ...headers }, signal: stop.signal })
    const text = await readText(response)
    if (!response.ok) throw toApiError(response, text)
    return toModels(JSON.parse(text), access)
  } catch (error) {
    return toModelFailure(error, { access, model: 'its list of models' }).error
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
}

/** The form in which the AI SDK reports a status, so that both are read by the same code; see {@link readFault}. */
function toApiError({ status, headers }: Response, text: string): Error {
  return Object.assign(new Error(`status ${status}`), {
    statusCode: status,
    responseHeaders: Object.fromEntries(headers),
    responseBody: text.slice(0, 64 * 1024),
  })
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BYTES) throw new Error('The list of models is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function toModels(answer: unknown, { name, isOfficial }: ProviderAccess): ListedModel[] {
  const list = isRecord(answer) && Array.isArray(answer.data) ? answer.data : Array.isArray(answer) ? answer : []
  return list
    .flatMap((entry: unknown): ListedModel[] => {
      if (!isRecord(entry) || typeof entry.id !== 'string' || entry.id === '' || /\s/.test(entry.id)) return []
      if (isOfficial && name === 'openai' && !isChatModel(entry.id)) return []
      const size = [entry.context_length, entry.max_model_len, entry.max_input_tokens].find(isCount)
      const label = entry.display_name ?? entry.name
      return [
        {
          id: entry.id,
          ...(typeof label === 'string' && label !== entry.id ? { name: label.slice(0, 100) } : {}),
          ...(size ? { contextSize: size } : {}),
        },
      ]
    })
    .slice(0, MAX_MODELS)
}

/** OpenAI lists all it has: sounds, images and embeddings are no models to talk to. */
function isChatModel(id: string): boolean {
  return /^(?:gpt-|o\d|chatgpt-)/.test(id) && !/audio|realtime|image|tts|transcribe|search|instruct|live/.test(id)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0
}
