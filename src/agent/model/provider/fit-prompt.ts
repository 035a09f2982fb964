import type { LanguageModelV3FilePart, LanguageModelV3Message, LanguageModelV3ToolResultOutput } from '@ai-sdk/provider'
import type { ModelPrompt } from './types.js'

interface Fitting {
  images: boolean
  /** Images may stand in the results of tools; elsewhere they follow as the user's. */
  imagesInResults: boolean
}

type UserMessage = Extract<LanguageModelV3Message, { role: 'user' }>
type ToolMessage = Extract<LanguageModelV3Message, { role: 'tool' }>
type UserPart = UserMessage['content'][number]
type OutputItem = Extract<LanguageModelV3ToolResultOutput, { type: 'content' }>['value'][number]

const LEFT_OUT = '[An image stood here. This model takes no images.]'
const FOLLOWS = '[The image follows.]'

/** The prompt with every image where the provider takes it, or with a note in its place. */
export function fitPrompt(prompt: ModelPrompt, fitting: Fitting): LanguageModelV3Message[] {
  const messages: LanguageModelV3Message[] = []
  let images: LanguageModelV3FilePart[] = []
  // Results stand together behind their calls: what came with them may only follow the last one.
  const flush = () => {
    if (images.length > 0) messages.push({ role: 'user', content: images })
    images = []
  }
  for (const message of prompt) {
    if (message.role !== 'tool') flush()
    if (message.role === 'user') {
      messages.push({ ...message, content: message.content.map(part => fitUserPart(part, fitting)) })
    } else if (message.role === 'tool' && !fitting.imagesInResults) {
      messages.push({ ...message, content: message.content.map(part => fitResult(part, fitting, images)) })
    } else if (message.role === 'tool' && !fitting.images) {
      messages.push({ ...message, content: message.content.map(withoutImages) })
    } else {
      messages.push(message)
    }
  }
  flush()
  return messages
}

function fitUserPart(part: UserPart, { images }: Fitting): UserPart {
  return part.type === 'file' && part.mediaType.startsWith('image/') && !images
    ? { type: 'text', text: LEFT_OUT }
    : part
}

type ToolPart = ToolMessage['content'][number]

/** The result as text, as chat completions want it; its images are added to `images`. */
function fitResult(part: ToolPart, fitting: Fitting, images: LanguageModelV3FilePart[]): ToolPart {
  if (part.type !== 'tool-result' || part.output.type !== 'content') return part
  const texts = part.output.value.map(item => {
    if (item.type === 'text') return item.text
    const image = toImage(item)
    if (image === undefined) return `[Content of type ${item.type} was left out.]`
    if (!fitting.images) return LEFT_OUT
    images.push(image)
    return FOLLOWS
  })
  return { ...part, output: { type: 'text', value: texts.join('\n') } }
}

function withoutImages(part: ToolPart): ToolPart {
  if (part.type !== 'tool-result' || part.output.type !== 'content') return part
  const value = part.output.value.map(
    (item): OutputItem => (toImage(item) === undefined ? item : { type: 'text', text: LEFT_OUT }),
  )
  return { ...part, output: { ...part.output, value } }
}

function toImage(item: OutputItem): LanguageModelV3FilePart | undefined {
  return (item.type === 'image-data' || item.type === 'file-data') && item.mediaType.startsWith('image/')
    ? { type: 'file', data: item.data, mediaType: item.mediaType }
    : undefined
}
