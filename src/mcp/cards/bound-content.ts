import { byteLength, type ContentBlock, formatBytes, headAndTail, text, toWellFormed } from '../../cards/index.js'

/** Of all texts of a result together; what a model can use of a call. */
const MAX_TEXT_BYTES = 64 * 1024
const MIN_SHARE_BYTES = 256
/** Of all pictures, sounds and files of a result together, as base64. */
const MAX_MEDIA_CHARS = 6 * 1024 * 1024
const MAX_BLOCKS = 200

/** A result's content within what a model and a log can take: texts keep their heads and tails, and each loss is said where it is. */
export function boundContent(blocks: readonly ContentBlock[]): ContentBlock[] {
  const kept = blocks.slice(0, blocks.length > MAX_BLOCKS ? MAX_BLOCKS - 1 : MAX_BLOCKS)
  const left = blocks.length - kept.length
  const bounded = boundTexts(boundMedia(kept))
  return left === 0 ? bounded : [...bounded, text(`[${left} more blocks left out]`)]
}

function boundMedia(blocks: readonly ContentBlock[]): ContentBlock[] {
  let room = MAX_MEDIA_CHARS
  return blocks.map(block => {
    const data = dataOf(block)
    if (data.length <= room) {
      room -= data.length
      return block
    }
    return text(`[${block.type}, ${formatBytes(Buffer.byteLength(data, 'base64'))}, left out: the result is too large]`)
  })
}

/** Short texts stay whole; what is left of the room is shared by the long ones. */
function boundTexts(blocks: readonly ContentBlock[]): ContentBlock[] {
  const sizes = blocks.map(block => byteLength(textOf(block) ?? ''))
  if (sizes.reduce((sum, size) => sum + size, 0) <= MAX_TEXT_BYTES)
    return blocks.map(block => withText(block, toWellFormed))
  const share = shareOf(sizes)
  return blocks.map(block => withText(block, value => headAndTail(value, share)))
}

/** The largest share with which all fit: found from the shortest text on. */
function shareOf(sizes: readonly number[]): number {
  let room = MAX_TEXT_BYTES
  const ascending = sizes.filter(size => size > 0).sort((a, b) => a - b)
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(room / (ascending.length - index))
    if (size > share) return Math.max(MIN_SHARE_BYTES, share)
    room -= size
  }
  return MAX_TEXT_BYTES
}

function textOf(block: ContentBlock): string | undefined {
  if (block.type === 'text') return block.text
  return block.type === 'resource' && 'text' in block.resource ? block.resource.text : undefined
}

function withText(block: ContentBlock, change: (value: string) => string): ContentBlock {
  if (block.type === 'text') return { ...block, text: change(block.text) }
  if (block.type !== 'resource' || !('text' in block.resource)) return block
  return { ...block, resource: { ...block.resource, text: change(block.resource.text) } }
}

function dataOf(block: ContentBlock): string {
  if (block.type === 'image' || block.type === 'audio') return block.data
  return block.type === 'resource' && 'blob' in block.resource ? block.resource.blob : ''
}
