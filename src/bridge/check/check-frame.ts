/** One message of a connection: `in` is client → agent, `out` agent → client. */
export interface WireFrame {
  dir: 'in' | 'out'
  msg: unknown
}

/** A broken rule of the wire, by its number. */
export interface Finding {
  rule: number
  text: string
  sessionId?: string
  toolCallId?: string
}

export type Fields = { [key: string]: unknown }

/** A request, a notification or a response, with params and results as objects. */
export interface Message {
  id?: unknown
  method?: string
  params: Fields
  result?: Fields
  error?: Fields
}

/** The message, or undefined if it is no JSON-RPC object. */
export function toMessage(value: unknown): Message | undefined {
  if (!isFields(value)) return undefined
  const { id, method, params, result, error } = value
  const isResponse = 'result' in value || 'error' in value
  if (typeof method !== 'string' && !(isResponse && id !== undefined)) return undefined
  return {
    ...(id === undefined ? {} : { id }),
    ...(typeof method === 'string' ? { method } : {}),
    params: isFields(params) ? params : {},
    ...('result' in value ? { result: isFields(result) ? result : {} } : {}),
    ...(isFields(error) ? { error } : {}),
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects of a list; nothing for what is no list. */
export function toItems(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}

/** The value as a string, or undefined. */
export function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
