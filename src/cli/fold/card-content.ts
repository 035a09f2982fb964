import { type Fields, isFields, toText } from '../../bridge/index.js'

/** A block of content of any type, its fields as they came. */
export type ContentFields = Fields & { type: string }

/** One entry of a card's content, as far as its shape is known; `unknown` holds what it is otherwise. */
export type CardContent =
  | { type: 'diff'; path: string; oldText?: string | null; newText: string }
  | { type: 'terminal'; terminalId: string }
  | { type: 'content'; content: ContentFields }
  | { type: 'unknown'; value: unknown }

export function toCardContent(item: unknown): CardContent {
  if (!isFields(item)) return { type: 'unknown', value: item }
  const { oldText, ...rest } = item
  const { type, path, newText, terminalId, content } = item
  if (type === 'diff' && typeof path === 'string' && typeof newText === 'string') {
    const before = oldText === null || typeof oldText === 'string' ? { oldText } : {}
    return { ...rest, type, path, newText, ...before }
  }
  if (type === 'terminal' && typeof terminalId === 'string') return { ...item, type, terminalId }
  if (type === 'content') {
    const block = toContentFields(content)
    if (block) return { ...item, type, content: block }
  }
  return { type: 'unknown', value: item }
}

/** The block, or undefined for what is none. */
export function toContentFields(value: unknown): ContentFields | undefined {
  if (!isFields(value)) return undefined
  const type = toText(value.type)
  return type === undefined ? undefined : { ...value, type }
}
