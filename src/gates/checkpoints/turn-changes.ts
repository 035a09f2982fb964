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
  /** So many files more were changed, and nothing of them was kept. */
  | { type: 'unkept'; turnId: string; count: number }

/** What undo needs to know of a turn. */
export interface TurnRecord {
  /** In path order. */
  files: FileRecord[]
  unkept: number
}

interface Turn {
  files: Map<string, FileRecord>
  unkept: number
}

const MAX_TURNS = 200
const MAX_FILES_OF_TURN = 2000

/** The changes of a session's turns, in the order in which they began. Bounded: the oldest turns go first. */
export class TurnChanges {
  readonly #turns = new Map<string, Turn>()

  apply(line: IndexLine): void {
    switch (line.type) {
      case 'after': {
        const record = this.find(line.turnId, line.realPath)
        if (record !== undefined) record.after = line.after
        break
      }
      case 'unkept':
        this.#turn(line.turnId).unkept += line.count
        break
      case 'before': {
        const { type: _type, ...record } = line
        const turn = this.#turn(record.turnId)
        if (turn.files.has(record.realPath)) break
        if (turn.files.size < MAX_FILES_OF_TURN) turn.files.set(record.realPath, record)
        else turn.unkept += 1
      }
    }
  }

  find(turnId: string, realPath: string): FileRecord | undefined {
    return this.#turns.get(turnId)?.files.get(realPath)
  }

  /** The last turn but `current` that changed files of which something is known; undefined if there is none. */
  last(current: string | undefined): TurnRecord | undefined {
    for (const [turnId, { files, unkept }] of [...this.#turns].reverse()) {
      if (turnId === current) continue
      const changed = [...files.values()].filter(isChange)
      if (changed.length === 0) continue
      return { files: changed.sort((one, other) => (one.realPath < other.realPath ? -1 : 1)), unkept }
    }
    return undefined
  }

  /** As lines that give the same again. */
  toLines(): IndexLine[] {
    return [...this.#turns].flatMap(([turnId, { files, unkept }]) => [
      ...[...files.values()].flatMap(toLines),
      ...(unkept > 0 ? [{ type: 'unkept', turnId, count: unkept } as const] : []),
    ])
  }

  #turn(turnId: string): Turn {
    const known = this.#turns.get(turnId)
    if (known !== undefined) return known
    const turn: Turn = { files: new Map(), unkept: 0 }
    this.#turns.set(turnId, turn)
    for (const [oldest] of this.#turns) {
      if (this.#turns.size <= MAX_TURNS) break
      this.#turns.delete(oldest)
    }
    return turn
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
