/** A file before a turn first changed it. */
export type KeptFile =
  | { kind: 'none' }
  | { kind: 'kept'; hash: string; mode: number }
  /** `why` completes "its earlier content was not kept: …". */
  | { kind: 'lost'; why: string }

/** What a turn did to one file. */
export interface FileRecord {
  turnId: string
  realPath: string
  /** As the session spelled it. */
  path: string
  before: KeptFile
  /** Hash of what the turn left; null: it removed the file; undefined: it was stopped before that was known. */
  after?: string | null
  /** The topmost folder that was made for the file. */
  madeFolder?: string
}

/** One line of a session's index: a record, or what became of the file since. */
export type IndexLine =
  | ({ type: 'before' } & Omit<FileRecord, 'after'>)
  | { type: 'after'; turnId: string; realPath: string; after: string | null }

const MAX_TURNS = 200
const MAX_FILES_OF_TURN = 2000

/** The changes of a session's turns, in the order in which they began. Bounded: the oldest turns go first. */
export class TurnChanges {
  readonly #turns = new Map<string, Map<string, FileRecord>>()

  apply(line: IndexLine): void {
    if (line.type === 'after') {
      const record = this.find(line.turnId, line.realPath)
      if (record !== undefined) record.after = line.after
      return
    }
    const { type: _type, ...record } = line
    const files = this.#turns.get(record.turnId) ?? new Map<string, FileRecord>()
    if (files.has(record.realPath) || files.size >= MAX_FILES_OF_TURN) return
    files.set(record.realPath, record)
    this.#turns.set(record.turnId, files)
    for (const [oldest] of this.#turns) {
      if (this.#turns.size <= MAX_TURNS) break
      this.#turns.delete(oldest)
    }
  }

  find(turnId: string, realPath: string): FileRecord | undefined {
    return this.#turns.get(turnId)?.get(realPath)
  }

  /** The files of the last turn but `current` that changed any, in path order; empty if there is none. */
  last(current: string | undefined): FileRecord[] {
    const turns = [...this.#turns].reverse()
    for (const [turnId, files] of turns) {
      if (turnId === current) continue
      const changed = [...files.values()].filter(isChange)
      if (changed.length > 0) return changed.sort((one, other) => (one.realPath < other.realPath ? -1 : 1))
    }
    return []
  }

  /** As lines that give the same again. */
  toLines(): IndexLine[] {
    return [...this.#turns.values()].flatMap(files => [...files.values()].flatMap(toLines))
  }
}

// A write that failed, or that put the same bytes back, is nothing to undo.
function isChange({ before, after }: FileRecord): boolean {
  if (after === undefined) return false
  return before.kind === 'lost' || (before.kind === 'none' ? null : before.hash) !== after
}

function toLines({ after, ...record }: FileRecord): IndexLine[] {
  const { turnId, realPath } = record
  const lines: IndexLine[] = [{ type: 'before', ...record }]
  return after === undefined ? lines : [...lines, { type: 'after', turnId, realPath, after }]
}
