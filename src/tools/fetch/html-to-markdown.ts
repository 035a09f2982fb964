import { setImmediate as nextTurn } from 'node:timers/promises'
import { HtmlReader } from './html-reader.js'

/** One slice keeps the event loop for a few milliseconds. */
const SLICE_CHARS = 8 * 1024

export interface MarkdownPage {
  title: string
  markdown: string
  /** It ends before the page does. */
  isCut: boolean
}

/**
 * The text of a page as Markdown, about `maxChars` of it. Links and images have whole addresses; scripts, forms of input and the
 * navigation (`nav`) are left out; characters that mean something in Markdown stay as they are. Stops with the signal.
 */
export async function htmlToMarkdown(
  html: string,
  { url, maxChars, signal }: { url: URL; maxChars: number; signal: AbortSignal },
): Promise<MarkdownPage> {
  // Loaded only when a page is read.
  const { Parser } = await import('htmlparser2')
  const reader = new HtmlReader(url)
  const parser = new Parser(reader)
  for (let at = 0; at < html.length; at += SLICE_CHARS) {
    if (reader.isTooDeep || reader.length > maxChars) {
      return { title: reader.title, markdown: reader.finish(), isCut: true }
    }
    parser.write(html.slice(at, at + SLICE_CHARS))
    await nextTurn()
    signal.throwIfAborted()
  }
  parser.end()
  return { title: reader.title, markdown: reader.finish(), isCut: false }
}
