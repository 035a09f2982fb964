import type { SessionEvent } from './events.js'
import type { LogRecord } from './log-record.js'

type Check = (value: unknown) => boolean
type Shape = { [field: string]: Check }

const isString: Check = value => typeof value === 'string'
const isBoolean: Check = value => typeof value === 'boolean'
const isNumber: Check = value => Number.isFinite(value)
const isPresent: Check = value => value !== undefined
const isObject = (value: unknown): value is LogRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const oneOf =
  (...values: string[]): Check =>
  value =>
    typeof value === 'string' && values.includes(value)
const optional =
  (check: Check): Check =>
  value =>
    value === undefined || check(value)
const arrayOf =
  (check: Check): Check =>
  value =>
    Array.isArray(value) && value.every(check)
const object =
  (shape: Shape): Check =>
  value =>
    isObject(value) && missingField(value, shape) === undefined

const blocks: { [type: string]: Check } = {
  text: object({ text: isString }),
  image: object({ data: isString, mimeType: isString }),
  audio: object({ data: isString, mimeType: isString }),
  resource: object({ resource: object({ uri: isString }) }),
  resource_link: object({ uri: isString, name: isString }),
}
const isBlock: Check = value =>
  isObject(value) &&
  typeof value.type === 'string' &&
  Object.hasOwn(blocks, value.type) &&
  blocks[value.type]?.(value) === true
const isContent = arrayOf(isBlock)
const isPlanEntry = object({
  content: isString,
  status: oneOf('pending', 'in_progress', 'completed'),
  priority: oneOf('high', 'medium', 'low'),
})

const shapes: Record<SessionEvent['type'], Shape> = {
  'turn/start': { turnId: isString },
  'turn/end': {
    turnId: isString,
    stopReason: oneOf('end_turn', 'max_tokens', 'max_turn_requests', 'cancelled'),
    error: optional(isString),
  },
  'user/message': { messageId: isString, content: isContent },
  'assistant/message': { messageId: isString, text: isString },
  'assistant/thought': { messageId: isString, text: isString },
  context: { content: isContent },
  'tool/start': { callId: isString, name: isString, arguments: isObject },
  'tool/call': {
    callId: isString,
    name: isString,
    arguments: isPresent,
    origin: oneOf('user', 'model'),
    modelCallId: optional(isString),
  },
  'tool/running': { callId: isString },
  'tool/progress': { callId: isString, output: optional(isString), content: optional(isContent) },
  'tool/result': {
    callId: isString,
    content: isContent,
    isError: isBoolean,
    error: optional(object({ name: isString, code: isString })),
  },
  plan: { entries: arrayOf(isPlanEntry) },
  'session/config': {
    mode: optional(isString),
    model: optional(isString),
    thinkingLevel: optional(isString),
    cwd: optional(isString),
    roots: optional(arrayOf(isString)),
    title: optional(isString),
  },
  'permission/asked': { callId: isString, question: isString },
  'permission/answered': { callId: isString, answer: isString, subjects: optional(arrayOf(isString)) },
  note: { messageId: isString, text: isString },
  usage: { used: isNumber, size: optional(isNumber), cost: optional(isNumber) },
  compaction: { summary: isString, compactionId: optional(isString), keepsPrompt: optional(isBoolean) },
  elision: { before: isString, maxChars: isNumber },
}

/** True if this version knows events of this type; others are skipped. */
export function isKnownEventType(type: string): type is SessionEvent['type'] {
  return Object.hasOwn(shapes, type)
}

/** The first field that keeps a record of a known type from being an event, or undefined if it is one. */
export function eventFault(type: SessionEvent['type'], record: LogRecord): string | undefined {
  return Number.isFinite(record.at) ? missingField(record, shapes[type]) : 'at'
}

function missingField(record: LogRecord, shape: Shape): string | undefined {
  return Object.keys(shape).find(field => !shape[field]?.(record[field]))
}
