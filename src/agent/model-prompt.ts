import { extname } from 'node:path'
import { type ContentBlock, type EmbeddedResource, fence, formatBytes, headAndTail, text } from '../cards/index.js'
import { type Mention, parseMention, toMentionUri } from './mentions.js'

/** Of one embedded file; what is left out is counted where it is. */
const MAX_RESOURCE_BYTES = 256 * 1024

export interface ModelPromptOptions {
  /** The model takes images. */
  images: boolean
}

/**
 * A prompt as text and image blocks for a model (B74): a mention stands where it is as path, line range and symbol, the text
 * of embedded resources follows at the end. Nothing is dropped without a note.
 */
export function toModelPrompt(blocks: readonly ContentBlock[], { images }: ModelPromptOptions): ContentBlock[] {
  const parts: ContentBlock[] = []
  const sections: string[] = []
  let line = ''
  let previous: ContentBlock | undefined
  for (const block of blocks) {
    line = joined(line, previous, block, toInlineText(block, images))
    previous = block
    const image = images ? toImage(block) : undefined
    if (image !== undefined) {
      if (line !== '') parts.push(text(line))
      line = ''
      parts.push(image)
    }
    if (block.type === 'resource' && 'text' in block.resource) sections.push(toSection(block.resource))
  }
  const rest = [...(line.trim() === '' ? [] : [line]), ...sections].join('\n\n')
  return rest === '' ? parts : [...parts, text(rest)]
}

/** `/w/a.ts (lines 10-20)`; for what is no file its name and URI. */
function toMentionText(uri: string, name?: string): string {
  const mention = parseMention(uri)
  if (mention === undefined) return name === undefined || name === uri ? uri : `${name} (${uri})`
  const details = toDetails(mention)
  return details === '' ? toPathText(mention.path) : `${toPathText(mention.path)} (${details})`
}

function toDetails({ directory, lines, symbol }: Mention): string {
  const range = lines && (lines.first === lines.last ? `line ${lines.first}` : `lines ${lines.first}-${lines.last}`)
  return [directory ? 'directory' : undefined, symbol && `symbol ${symbol}`, range].filter(Boolean).join(', ')
}

/** A file name may hold a newline, and must not end the line it stands on. */
function toPathText(path: string): string {
  return /[\u0000-\u001f\u007f]/.test(path) ? JSON.stringify(path) : path
}

function toInlineText(block: ContentBlock, images: boolean): string {
  const uri = toMentionUri(block)
  const name = block.type === 'resource_link' ? block.name : undefined
  const reference = uri === undefined ? '' : toMentionText(uri, name)
  const note = toNote(block, images)
  if (block.type === 'text') return block.text
  return [reference, note].filter(part => part !== '').join(' ')
}

/** What a model does not get of this block. */
function toNote(block: ContentBlock, images: boolean): string {
  if (toImage(block) !== undefined && images) return ''
  if (block.type === 'image' || block.type === 'audio') return leftOut(block.mimeType, block.data)
  if (block.type === 'resource' && 'blob' in block.resource) {
    return leftOut(block.resource.mimeType ?? 'binary data', block.resource.blob)
  }
  return ''
}

function leftOut(mimeType: string, base64: string): string {
  return `[${mimeType}, ${formatBytes(Buffer.byteLength(base64, 'base64'))}, left out: the model does not take it]`
}

function toImage(block: ContentBlock): ContentBlock | undefined {
  if (block.type === 'image') return { type: 'image', data: block.data, mimeType: block.mimeType }
  if (block.type !== 'resource' || !('blob' in block.resource)) return undefined
  const { blob, mimeType } = block.resource
  return mimeType?.startsWith('image/') ? { type: 'image', data: blob, mimeType } : undefined
}

function toSection(resource: Extract<EmbeddedResource, { text: string }>): string {
  const path = parseMention(resource.uri)?.path ?? ''
  const language = /^\.(\w{1,12})$/.exec(extname(path))?.[1] ?? ''
  return `${toMentionText(resource.uri)}:\n${fence(headAndTail(resource.text, MAX_RESOURCE_BYTES), language)}`
}

/** Text blocks are paragraphs; around a mention the editor's own blanks stand, and one is put where a client trimmed them. */
function joined(line: string, previous: ContentBlock | undefined, block: ContentBlock, piece: string): string {
  if (line === '' || piece === '') return line + piece
  if (previous?.type === 'text' && block.type === 'text') return `${line}\n${piece}`
  const touches = /[^\s([{"'`<@=:]$/.test(line) && (block.type !== 'text' || /^[\p{L}\p{N}]/u.test(piece))
  return touches ? `${line} ${piece}` : line + piece
}
