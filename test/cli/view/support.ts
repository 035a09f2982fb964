import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Parser } from 'htmlparser2'
import { onTestFinished } from 'vitest'
import { TranscriptReader } from '../../../src/bridge/index.js'
import { Conversation } from '../../../src/cli/view/conversation.js'
import type { ViewEntry } from '../../../src/cli/view/entry.js'
import { PageWriter } from '../../../src/cli/view/html/write-page.js'

export const fixtures = join(import.meta.dirname, '../../../fixtures')

export async function linesOf(name: string): Promise<string[]> {
  return (await readFile(join(fixtures, name), 'utf8')).trimEnd().split('\n')
}

/** A directory of this test. */
export async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'deckhand-view-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** Reads a transcript into a conversation that hands its entries to `write`. */
export async function converse(
  lines: Iterable<string | undefined>,
  write: (entry: ViewEntry) => Promise<void>,
): Promise<Conversation> {
  const conversation = new Conversation(write)
  const reader = new TranscriptReader()
  for (const line of lines) {
    const item = reader.read(line)
    if (item) await conversation.take(item)
  }
  await conversation.end(reader.end())
  return conversation
}

/** The page of a transcript, written to `directory`. */
export async function pageOf(
  lines: Iterable<string | undefined>,
  directory: string,
  limits?: Parameters<typeof PageWriter.create>[1],
): Promise<string> {
  const target = join(directory, 'page.html')
  const page = await PageWriter.create(target, limits)
  try {
    const { summary } = await converse(lines, entry => page.add(entry))
    await page.finish({ title: summary.title ?? 'A transcript', source: 'A test.', summary })
  } finally {
    await page.dispose()
  }
  return readFile(target, 'utf8')
}

export interface PageElement {
  name: string
  attributes: Record<string, string>
}

/** Every element of a page, as a browser would see it, and all its text. */
export function readPage(page: string): { elements: PageElement[]; text: string } {
  const elements: PageElement[] = []
  let text = ''
  const parser = new Parser({
    onopentag: (name, attributes) => elements.push({ name, attributes }),
    ontext: part => {
      text += part
    },
  })
  parser.end(page)
  return { elements, text }
}

/** The part of a page between an entry's start and its end. */
export function entryOf(page: string, anchor: string): string {
  const start = page.indexOf(`id="${anchor}"`)
  return start < 0 ? '' : page.slice(start, page.indexOf('</article>', start))
}

/** An update of the session `s1`, as a line of a transcript. */
export function updateLine(update: object): string {
  const params = { sessionId: 's1', update }
  return JSON.stringify({ dir: 'out', msg: { jsonrpc: '2.0', method: 'session/update', params } })
}
