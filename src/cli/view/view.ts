import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { readLog, SessionStore, TranscriptReader, transcriptLines } from '../../bridge/index.js'
import type { Environment } from '../environment.js'
import { print, printLines, printProblem } from '../print.js'
import { Conversation } from './conversation.js'
import { drawEntry, drawSummary } from './draw-entry.js'
import { findSession } from './find-session.js'
import { viewSession } from './session-source.js'

interface ViewOptions {
  client: string
  html?: string
}

/** What is shown, and how it gets into a conversation. */
interface Source {
  name: string
  description: string
  feed(conversation: Conversation): Promise<void>
}

/** `deckhand view`: a session or a transcript as an editor shows it, in the terminal or as a page; 1 on findings. */
export async function runView(environment: Environment, given: string, { client, html }: ViewOptions): Promise<number> {
  const source = await findSource(environment, given, client)
  const conversation = html ? await writePage(resolve(environment.cwd, html), source) : await drawThread(source)
  return conversation.summary.findingCount === 0 ? 0 : 1
}

async function drawThread(source: Source): Promise<Conversation> {
  const conversation = new Conversation(async entry => printLines(drawEntry(entry)))
  await source.feed(conversation)
  printLines(drawSummary(conversation.summary))
  return conversation
}

async function writePage(target: string, { name, description, feed }: Source): Promise<Conversation> {
  const { PageWriter } = await import('./html/write-page.js')
  const page = await PageWriter.create(target)
  try {
    const conversation = new Conversation(entry => page.add(entry))
    await feed(conversation)
    const { summary } = conversation
    await page.finish({ title: summary.title ?? name, source: description, summary })
    print(`${target}: ${summary.messages.in + summary.messages.out} messages, ${summary.findingCount} findings.`)
    return conversation
  } finally {
    await page.dispose()
  }
}

async function findSource(environment: Environment, given: string, client: string): Promise<Source> {
  if (given === '-') return transcriptSource('stdin', process.stdin)
  const path = resolve(environment.cwd, given)
  const isFile = (await stat(path).catch(() => undefined))?.isFile() === true
  if (isFile && !(await isLog(path))) return transcriptSource(basename(path), createReadStream(path))
  const reading = isFile
    ? await readLog(path)
    : await new SessionStore(environment.stateDir).read(await findSession(environment.stateDir, given))
  const { id, cwd, created } = reading.header
  return {
    name: `Session ${id}`,
    description: `Session ${id} in ${cwd}, created ${created}, as loading it shows it to a client of kind ${client}.`,
    feed: async conversation => {
      await viewSession(environment, reading, client, conversation)
      for (const { line, reason } of reading.warnings) printProblem(`line ${line}: ${reason}`)
    },
  }
}

function transcriptSource(name: string, input: AsyncIterable<Uint8Array>): Source {
  return {
    name,
    description: `Transcript ${name}.`,
    feed: async conversation => {
      const reader = new TranscriptReader()
      for await (const text of transcriptLines(input)) {
        const item = reader.read(text)
        if (item) await conversation.take(item)
      }
      await conversation.end(reader.end())
    },
  }
}

/** A session's log says so in its first line. */
async function isLog(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0)
    return /^\s*\{\s*"type"\s*:\s*"session"/.test(buffer.toString('utf8', 0, bytesRead))
  } finally {
    await file.close()
  }
}
