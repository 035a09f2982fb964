import { type ContentBlock, cutText, formatBytes, headAndTail, isRecord, oneLine, text } from '../../cards/index.js'
import { toFileType } from '../../workspace/index.js'

/** A larger picture is shown as a note by every client, and models take none. */
const MAX_MEDIA_CHARS = 4 * 1024 * 1024
const MAX_NAME_CHARS = 200
const MAX_DESCRIPTION_CHARS = 1000
const MAX_URI_CHARS = 4096
/** Schemes whose address is itself a program or a page. Editors open what they are given. */
const RUNS_CODE = /^[\s\u0000-\u001f]*(?:javascript|vbscript|data):/i
const MAX_UNKNOWN_BYTES = 2048
/** Enough to tell what kind of picture it is. */
const SNIFF_CHARS = 1024

type Given = Record<string, unknown>

/** One block of a server's result as a block of ours. What is malformed or unknown becomes a text that says so. */
export function toContentBlock(given: unknown): ContentBlock {
  if (!isRecord(given)) return unknownBlock(given, 'a block that is none')
  switch (given.type) {
    case 'text':
      return typeof given.text === 'string' ? text(given.text) : unknownBlock(given, 'a text without text')
    case 'image':
    case 'audio':
      return toMedia(given.type, given)
    case 'resource':
      return isRecord(given.resource) ? toResource(given.resource) : unknownBlock(given, 'a resource without content')
    case 'resource_link':
      return toLink(given)
    default:
      return unknownBlock(given, `a block of the unknown type ${JSON.stringify(cutText(String(given.type), 40))}`)
  }
}

function toMedia(type: 'image' | 'audio', { data, mimeType }: Given): ContentBlock {
  const name = toMimeType(mimeType) ?? type
  if (typeof data !== 'string' || !isBase64(data)) return note(name, 'its data is no base64')
  if (data.length > MAX_MEDIA_CHARS) return note(name, `${sizeOf(data)}, too large`)
  if (type === 'audio') return { type, data, mimeType: toMimeType(mimeType) ?? 'audio/wav' }
  // A provider that is sent a picture of another kind than it was told refuses the whole conversation, for good.
  const found = toFileType(Buffer.from(data.slice(0, SNIFF_CHARS), 'base64'), false)
  if (found.kind === 'image') return { type, data, mimeType: found.mimeType }
  const isKnownKind = /^image\/(?:png|jpe?g|gif|webp)$/.test(name)
  if (isKnownKind || !name.startsWith('image/')) return note(name, `${sizeOf(data)}, no picture of this kind`)
  return { type, data, mimeType: name }
}

function toResource({ uri, mimeType, text: content, blob }: Given): ContentBlock {
  const isPlain = typeof uri === 'string' && uri !== '' && !RUNS_CODE.test(uri)
  const place = isPlain ? cutText(uri, MAX_URI_CHARS) : 'resource:unnamed'
  const kind = toMimeType(mimeType)
  const about = { uri: place, ...(kind === undefined ? {} : { mimeType: kind }) }
  if (typeof content === 'string') return { type: 'resource', resource: { ...about, text: content } }
  if (typeof blob !== 'string' || !isBase64(blob)) return note(place, 'a resource without text or base64')
  if (blob.length > MAX_MEDIA_CHARS) return note(place, `${kind ?? 'binary'}, ${sizeOf(blob)}, too large`)
  if (kind?.startsWith('image/')) {
    const image = toMedia('image', { data: blob, mimeType: kind })
    if (image.type !== 'image') return image
    return { type: 'resource', resource: { ...about, mimeType: image.mimeType, blob } }
  }
  return { type: 'resource', resource: { ...about, blob } }
}

function toLink(given: Given): ContentBlock {
  const { uri, name, title, description, mimeType, size } = given
  if (typeof uri !== 'string' || uri === '') return unknownBlock(given, 'a link that leads nowhere')
  if (RUNS_CODE.test(uri)) return unknownBlock(given, 'a link that runs code where it is opened')
  const kind = toMimeType(mimeType)
  const shown = cutText(uri, MAX_URI_CHARS)
  return {
    type: 'resource_link',
    uri: shown,
    name: oneLine(typeof name === 'string' && name !== '' ? name : shown, MAX_NAME_CHARS),
    ...(typeof title === 'string' ? { title: oneLine(title, MAX_NAME_CHARS) } : {}),
    ...(typeof description === 'string' ? { description: oneLine(description, MAX_DESCRIPTION_CHARS) } : {}),
    ...(kind === undefined ? {} : { mimeType: kind }),
    ...(Number.isSafeInteger(size) && (size as number) >= 0 ? { size: size as number } : {}),
  }
}

function unknownBlock(given: unknown, what: string): ContentBlock {
  return text(`[The server sent ${what}: ${headAndTail(toJson(given), MAX_UNKNOWN_BYTES)}]`)
}

function note(name: string, problem: string): ContentBlock {
  return text(`[${cutText(name, MAX_NAME_CHARS)} was left out: ${problem}]`)
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing'
  } catch {
    return 'something nested too deep to be written'
  }
}

function toMimeType(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 100) return undefined
  return /^[\w.+-]+\/[\w.+-]+(?:;[\x20-\x7e]*)?$/.test(value) ? value : undefined
}

function isBase64(data: string): boolean {
  return data.length > 0 && data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data)
}

function sizeOf(base64: string): string {
  return formatBytes(Buffer.byteLength(base64, 'base64'))
}
