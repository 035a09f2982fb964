import type { Finding } from '../../bridge/index.js'
import type { ClientTerminal } from '../fold/client-terminal.js'
import type { FoldedEntry } from '../fold/session-fold.js'
import type { FrameLog } from './frame-log.js'

/** A question to the user and what became of it. */
export interface Question {
  text: string
  options: { id: string; name: string; kind?: string }[]
  /** Undefined while there is no answer. `optionId` names one of the options. */
  answer?: { text: string; optionId?: string }
}

interface EntryBase {
  /** Unique on the page. */
  anchor: string
  sessionId?: string
  frames: FrameLog
}

export type EntryBody =
  | FoldedEntry
  /** A question that belongs to no call. */
  | { type: 'question' }
  /** One line about the thread: its mode, its title, the end of a turn. */
  | { type: 'note'; kind: string; text: string; isError: boolean }
  /** Messages that show nothing, one after another. */
  | { type: 'protocol'; text: string }
  | { type: 'broken' }

/** What stands at one place of the thread, with the messages that led to it. */
export type ViewEntry = EntryBase & {
  body: EntryBody
  questions: Question[]
  /** Findings about this call that stand at messages elsewhere. */
  elsewhere: (Finding & { line: number })[]
  /** Terminals of the client that the call's content names, by their ids. */
  terminals: ReadonlyMap<string, ClientTerminal>
  /** The anchor of the same call's earlier entry, which was written before this message came. */
  continues?: string
}
