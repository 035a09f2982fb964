import type { ContentBlock as AcpContentBlock, ToolCallContent } from '@agentclientprotocol/sdk'
import { type ContentBlock, formatBytes, leftOutMarker } from '../../cards/index.js'
import { headSerialized, jsonBytes, tailSerialized } from '../wire/serialized-size.js'
import { MAX_MEDIA_BYTES } from '../wire/wire-limits.js'

/** Room for a note in the place of a block that does not fit. */
const NOTE_BYTES = 512
const MAX_NAME_BYTES = 300

/** Content blocks of a card. Media that no message can hold become a text with name, type and size. */
export function toWireContent(blocks: readonly ContentBlock[]): ToolCallContent[] {
  return blocks.map(block => ({ type: 'content', content: toWireBlock(block) }))
}

/** One text block of a card. */
export function toWireText(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } }
}

/** One block as the protocol has it. */
export function toWireBlock(block: ContentBlock): AcpContentBlock {
  const size = mediaBytes(block)
  return size > MAX_MEDIA_BYTES ? { type: 'text', text: describeBlock(block) } : block
}

/** A block that is no text, in words. */
export function describeBlock(block: ContentBlock): string {
  const size = formatBytes(mediaBytes(block))
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio': {
      const name = block.type === 'image' && block.uri ? ` ${shorten(block.uri)}` : ''
      return `[${block.type}${name}, ${shorten(block.mimeType)}, ${size}]`
    }
    case 'resource':
      if ('text' in block.resource) return block.resource.text
      return `[file ${shorten(block.resource.uri)}, ${shorten(block.resource.mimeType ?? 'binary')}, ${size}]`
    case 'resource_link':
      return block.uri
  }
}

/**
 * Makes content fit a budget as serialized, block by block in order: text is cut in its middle, a diff becomes a text with
 * path and sizes, other blocks a note. Content that fits comes back unchanged.
 */
export function fitContent(content: readonly ToolCallContent[], budgetBytes: number): ToolCallContent[] {
  const sizes = content.map(item => jsonBytes(item) + 1)
  if (sizes.reduce((sum, size) => sum + size, 0) <= budgetBytes) return [...content]
  const fitted: ToolCallContent[] = []
  let room = budgetBytes
  for (const [index, item] of content.entries()) {
    const later = content.length - index - 1
    if (room < 2 * NOTE_BYTES) return [...fitted, toWireText(`[${later + 1} more left out]`)]
    const share = Math.max(NOTE_BYTES, room - later * NOTE_BYTES)
    const next = sizes[index]! <= share ? item : shrink(item, share)
    room -= next === item ? sizes[index]! : jsonBytes(next) + 1
    fitted.push(next)
  }
  return fitted
}

/** Head and tail of a text within a size as serialized, with the count of bytes left out between them. */
function cutMiddle(text: string, limitBytes: number): string {
  if (text.length * 6 <= limitBytes || jsonBytes(text) - 2 <= limitBytes) return text
  const room = Math.max(0, limitBytes - 64)
  const head = headSerialized(text, Math.ceil(room / 2))
  const tail = tailSerialized(text.slice(head.length), Math.floor(room / 2))
  const left = Buffer.byteLength(text) - Buffer.byteLength(head) - Buffer.byteLength(tail)
  return `${head}\n${leftOutMarker(left)}\n${tail}`
}

function shrink(item: ToolCallContent, limitBytes: number): ToolCallContent {
  if (item.type === 'diff') {
    const old = item.oldText == null ? 'new file' : `old ${formatBytes(Buffer.byteLength(item.oldText))}`
    const size = formatBytes(Buffer.byteLength(item.newText))
    return toWireText(`${shorten(item.path)}: the diff is too large to show (${old}, new ${size}).`)
  }
  if (item.type !== 'content') return item
  const { content } = item
  const wrapping = jsonBytes({ ...item, content: withoutText(content) })
  if (content.type === 'text') return toWireText(cutMiddle(content.text, limitBytes - wrapping))
  if (content.type === 'resource' && 'text' in content.resource && limitBytes - wrapping > NOTE_BYTES) {
    const text = cutMiddle(content.resource.text, limitBytes - wrapping)
    return { ...item, content: { ...content, resource: { ...content.resource, text } } }
  }
  return toWireText(cutMiddle(describeBlock(content as ContentBlock), NOTE_BYTES - 100))
}

function withoutText(content: AcpContentBlock): unknown {
  if (content.type === 'text') return { ...content, text: '' }
  return content.type === 'resource' ? { ...content, resource: { ...content.resource, text: '' } } : content
}

function mediaBytes(block: ContentBlock): number {
  const data = block.type === 'image' || block.type === 'audio' ? block.data : blobOf(block)
  return Math.floor((data.length * 3) / 4)
}

function blobOf(block: ContentBlock): string {
  return block.type === 'resource' && 'blob' in block.resource ? block.resource.blob : ''
}

function shorten(name: string): string {
  const head = headSerialized(name, MAX_NAME_BYTES)
  return head === name ? name : `${head}…`
}
