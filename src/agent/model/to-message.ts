import { type ContentBlock, formatBytes, type JsonValue, text } from '../../cards/index.js'
import type { AssistantPart, HistoryEntry, HistoryResult } from '../../session/index.js'
import { toModelPrompt } from '../model-prompt.js'
import type { ModelPrompt } from './provider/index.js'
import { thoughtFor } from './thought-meta.js'

export type Message = ModelPrompt[number]

type UserContent = Extract<Message, { role: 'user' }>['content']
type AssistantContent = Extract<Message, { role: 'assistant' }>['content']
type ToolContent = Extract<Message, { role: 'tool' }>['content']
type Output = Extract<ToolContent[number], { type: 'tool-result' }>['output']
type OutputItem = Extract<Output, { type: 'content' }>['value'][number]
type ProviderOptions = NonNullable<Message['providerOptions']>

/** What depends on the conversation as a whole. */
interface MessageContext {
  /** `provider/model` that will read it. */
  modelId: string
  /** The id of a call as the model is told it. */
  idOf(callId: string, modelCallId?: string): string
}

/** Other formats, and larger ones, make providers refuse the whole conversation, for good. */
const IMAGE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
const MAX_IMAGE_CHARS = 5_000_000
const MAX_INVALID_CHARS = 2000

/** An entry of the history as the model reads it; undefined if nothing of it is for a model. */
export function toMessage(entry: HistoryEntry, context: MessageContext): Message | undefined {
  switch (entry.role) {
    case 'user':
      return { role: 'user', content: toUserContent(entry.content) }
    case 'assistant': {
      const content = entry.parts.flatMap(part => toAssistantParts(part, context))
      // A turn that was stopped behind a thought: providers refuse a message that ends in one.
      while (content.at(-1)?.type === 'reasoning') content.pop()
      return content.length === 0 ? undefined : { role: 'assistant', content }
    }
    case 'tool':
      return {
        role: 'tool',
        content: entry.results.map(result => ({
          type: 'tool-result',
          toolCallId: context.idOf(result.callId),
          toolName: toName(result.name),
          output: toOutput(result),
        })),
      }
  }
}

/** Two messages of the user as one: some providers want the roles to take turns. */
export function joinUsers(first: UserContent, second: UserContent): UserContent {
  // DeepSeek puts texts together with nothing between them.
  const [head, ...rest] = second
  return head?.type === 'text' ? [...first, { ...head, text: `\n\n${head.text}` }, ...rest] : [...first, ...second]
}

function toUserContent(blocks: readonly ContentBlock[]): UserContent {
  const content = toModelPrompt(blocks, { images: true })
    .map(toFitting)
    .flatMap((block): UserContent => {
      if (block.type === 'image') return [{ type: 'file', data: block.data, mediaType: block.mimeType }]
      return block.type === 'text' && block.text.trim() !== '' ? [{ type: 'text', text: block.text }] : []
    })
  return content.length === 0 ? [{ type: 'text', text: '(an empty message)' }] : content
}

function toAssistantParts(part: AssistantPart, { modelId, idOf }: MessageContext): AssistantContent {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }]
    case 'thought': {
      const own = thoughtFor(part.meta, modelId)
      if (own === undefined || (part.text === '' && own.options === undefined)) return []
      return [{ type: 'reasoning', text: part.text, ...toProviderOptions(own.options) }]
    }
    case 'call':
      return [
        {
          type: 'tool-call',
          toolCallId: idOf(part.callId, part.modelCallId),
          toolName: toName(part.name),
          input: toInput(part.arguments),
          ...toProviderOptions(thoughtFor(part.meta, modelId)?.options),
        },
      ]
  }
}

function toProviderOptions(options: JsonValue | undefined): { providerOptions?: ProviderOptions } {
  const isObject = typeof options === 'object' && options !== null && !Array.isArray(options)
  return isObject ? { providerOptions: options as ProviderOptions } : {}
}

/** A name that the model made up must not make its provider refuse every request from then on. */
function toName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unknown'
}

/** Providers take nothing but an object. What was none stands in one, so that the model sees what it wrote (B80). */
function toInput(raw: JsonValue): { [key: string]: JsonValue } {
  const value = typeof raw === 'string' ? parse(raw) : raw
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  if (value === null || (typeof raw === 'string' && raw.trim() === '')) return {}
  return { invalid_arguments: (typeof raw === 'string' ? raw : JSON.stringify(raw)).slice(0, MAX_INVALID_CHARS) }
}

function parse(raw: string): JsonValue | undefined {
  try {
    return JSON.parse(raw) as JsonValue
  } catch {
    return undefined
  }
}

function toOutput({ content, isError }: HistoryResult): Output {
  const blocks = content.flatMap(block => (block.type === 'text' ? [block] : toModelPrompt([block], { images: true })))
  const fitting = blocks.map(toFitting)
  if (fitting.every(block => block.type === 'text')) {
    const value = fitting.map(block => block.text).join('\n')
    return { type: isError ? 'error-text' : 'text', value: value.trim() === '' ? '(no output)' : value }
  }
  const value = fitting.flatMap((block): OutputItem[] => {
    if (block.type === 'image') return [{ type: 'image-data', data: block.data, mediaType: block.mimeType }]
    return block.type === 'text' && block.text.trim() !== '' ? [block] : []
  })
  return { type: 'content', value }
}

function toFitting(block: ContentBlock): ContentBlock {
  if (block.type !== 'image') return block
  const { data, mimeType } = block
  if (IMAGE_TYPES.has(mimeType) && data.length <= MAX_IMAGE_CHARS) return { type: 'image', data, mimeType }
  return text(
    `[An image (${mimeType}, ${formatBytes(Buffer.byteLength(data, 'base64'))}) was left out: models do not take it.]`,
  )
}
