import { randomUUID } from 'node:crypto'
import { hasErrorCode, headAndTail, isHarnessError } from '../../cards/index.js'
import type { History, HistoryEntry } from '../../session/index.js'
import type { DriverRun } from '../driver.js'
import { toElision } from './context-room.js'
import type { Model } from './provider/index.js'
import { toText, toTranscript } from './transcript.js'
import { toUsageStep } from './usage.js'

/** Of the transcript, where the model's window is not known. */
const MAX_TRANSCRIPT_BYTES = 300_000
const MIN_TRANSCRIPT_BYTES = 8_000
const MAX_SUMMARY_BYTES = 64 * 1024
const MAX_REQUEST_BYTES = 16 * 1024
const TRIES = 4

const SUMMARY_SYSTEM =
  'You write hand-over notes. You get the transcript of a conversation between a user and a coding agent; another agent will go on from your notes alone, without the transcript.'

const SUMMARY_REQUEST = [
  'Write the notes now. Say, as far as the transcript does:',
  '- what the user wants, with constraints and preferences in their own words;',
  '- what was done and found out: files with their paths, what was changed in each, commands and how they ended;',
  '- decisions, and what was tried in vain;',
  '- where the work stands, and the next steps.',
  'Facts only: exact names, paths and numbers, no code beyond a few lines, no opening or closing words.',
].join('\n')

export interface CompactOptions {
  history: History
  model: Model
  signal: AbortSignal
  /** Before the model's first answer to a prompt, in the middle of its work on one, or by a command of the user. */
  when: 'prompt' | 'work' | 'command'
  /** Leave out old results if that is enough. */
  mayElide: boolean
}

/**
 * Shortens the conversation: old long results first, if that is enough, else a summary of all of it. Returns false if there
 * is nothing to summarise, and with a note if the model fails; throws MODEL_AUTH and the signal's reason.
 */
export async function* compact(options: CompactOptions): DriverRun<boolean> {
  const { history, model, signal, when, mayElide } = options
  const elision = mayElide ? toElision(history, model) : undefined
  if (elision) {
    yield elision
    return true
  }
  const entries = [...history.settled, ...history.current()]
  const told = when === 'work' ? entries : entries.slice(0, history.promptAt)
  if (told.length === 0) return false
  yield { type: 'notice', text: 'The conversation is being summarised, to make room.' }
  try {
    const summary = yield* summarise(told, model, history, signal)
    const request = when === 'work' ? toLastRequest(entries) : ''
    yield {
      type: 'compaction',
      summary: `${summary}${request}`,
      compactionId: randomUUID(),
      ...(when === 'prompt' ? { keepsPrompt: true } : {}),
    }
    return true
  } catch (error) {
    signal.throwIfAborted()
    if (!isHarnessError(error) || error.code === 'MODEL_AUTH') throw error
    yield { type: 'note', text: `The conversation could not be summarised. ${error.message}` }
    return false
  }
}

async function* summarise(
  entries: readonly HistoryEntry[],
  model: Model,
  history: History,
  signal: AbortSignal,
): DriverRun<string> {
  const { contextSize } = model
  // Two bytes to a token: also text that is not English fits, with room for the answer.
  let maxBytes = contextSize === undefined ? MAX_TRANSCRIPT_BYTES : Math.min(contextSize * 2, 4 * MAX_TRANSCRIPT_BYTES)
  for (let attempt = 1; ; attempt++) {
    const transcript = toTranscript(entries, Math.max(maxBytes, MIN_TRANSCRIPT_BYTES))
    const prompt = `<transcript>\n${transcript}\n</transcript>\n\n${SUMMARY_REQUEST}`
    const request = {
      system: SUMMARY_SYSTEM,
      prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: prompt }] }],
      tools: [],
    }
    let summary = ''
    try {
      for await (const part of model.stream(request, signal)) {
        if (part.type === 'text' && summary.length < MAX_SUMMARY_BYTES) summary += part.text
        if (part.type === 'notice') yield part
        if (part.type === 'finish') {
          const usage = toUsageStep(part.usage, model, history)
          if (usage) yield usage
        }
      }
    } catch (error) {
      if (!hasErrorCode(error, 'MODEL_CONTEXT_TOO_LONG') || attempt === TRIES) throw error
      maxBytes /= 2
      continue
    }
    const text = headAndTail(summary.trim(), MAX_SUMMARY_BYTES)
    if (text !== '') return text
    if (attempt === TRIES) return toTranscript(entries, MIN_TRANSCRIPT_BYTES)
  }
}

/** In the middle of a turn the task goes on, and its words must not depend on a summary. */
function toLastRequest(entries: readonly HistoryEntry[]): string {
  const last = entries.findLast(entry => entry.role === 'user')
  if (last?.role !== 'user') return ''
  const words = headAndTail(toText(last.content), MAX_REQUEST_BYTES)
  return `\n\nThe user's last message, word for word:\n\n${words}`
}
