import { formatBytes, HarnessError, toLf } from '../../cards/index.js'
import { htmlToMarkdown } from './html-to-markdown.js'
import type { Answer } from './request.js'

const META_BYTES = 1024
const TEXT_TYPE =
  /^(text\/.+|application\/(json|xml|javascript|ecmascript|x-javascript|yaml|x-yaml|toml|sql|graphql|x-sh|x-ndjson|ndjson|rtf)|.+\+(json|xml|yaml))$/
const UNKNOWN_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'application/x-download'])

export interface PageText {
  text: string
  title: string
  isHtml: boolean
  isCut: boolean
}

/** Throws BINARY_FILE for an answer that says itself that it is no text. */
export function checkType({ url, mimeType, declaredBytes }: Pick<Answer, 'url' | 'mimeType' | 'declaredBytes'>): void {
  if (TEXT_TYPE.test(mimeType) || UNKNOWN_TYPES.has(mimeType)) return
  throw binary(url, mimeType, declaredBytes === undefined ? 'of unknown size' : formatBytes(declaredBytes))
}

/** The text of an answer, of HTML as Markdown and at most about `maxChars`. Throws BINARY_FILE if it is none. */
export async function toPageText(answer: Answer, maxChars: number, signal: AbortSignal): Promise<PageText> {
  const { url, mimeType, bytes, isCut } = answer
  const text = decode(answer)
  if (text === undefined) {
    const size = `${isCut ? 'more than ' : ''}${formatBytes(bytes.length)}`
    throw binary(url, mimeType, answer.declaredBytes === undefined ? size : formatBytes(answer.declaredBytes))
  }
  const isHtml =
    /^(text\/html|application\/xhtml\+xml)$/.test(mimeType) ||
    (UNKNOWN_TYPES.has(mimeType) && /^\s*(<!--|<!doctype html|<html|<head|<body)/i.test(text))
  if (!isHtml) return { text: toLf(text), title: '', isHtml, isCut }
  const page = await htmlToMarkdown(toLf(text), { url, maxChars, signal })
  return { text: page.markdown, title: page.title, isHtml, isCut: isCut || page.isCut }
}

/** Undefined for what is no text. */
function decode({ bytes, charset, mimeType, isCut }: Answer): string | undefined {
  const label = markOf(bytes) ?? (charset || metaCharset(bytes, mimeType)) ?? 'utf-8'
  const isKnown = UNKNOWN_TYPES.has(mimeType)
  try {
    const text = toDecoder(label, isKnown).decode(bytes, { stream: isCut })
    return text.includes('\0') ? undefined : text
  } catch {
    // Bytes of an unknown type that are no UTF-8.
    return undefined
  }
}

function toDecoder(label: string, fatal: boolean): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label, { fatal })
  } catch {
    // A charset that nobody knows.
    return new TextDecoder('utf-8', { fatal })
  }
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

function metaCharset(bytes: Buffer, mimeType: string): string | undefined {
  if (!mimeType.includes('html')) return undefined
  const start = bytes.subarray(0, META_BYTES).toString('latin1')
  return /<meta[^>]+charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(start)?.[1]
}

function binary(url: URL, mimeType: string, size: string): HarnessError {
  const what = UNKNOWN_TYPES.has(mimeType) ? 'no text' : mimeType.slice(0, 80)
  const advice = 'fetch shows text only. A command can save it to a file, as curl -o does.'
  return new HarnessError('BINARY_FILE', `${url.href} is ${what} (${size}); ${advice}`)
}
