import type { FileStamp } from './file-stamp.js'

/** A file as it stood when a command began. */
export interface FileBefore {
  /** null: there was no file. */
  stamp: (Pick<FileStamp, 'sizeBytes' | 'mode'> & Partial<FileStamp>) | null
  /** Absent if nobody had looked at the content. */
  bytes?: Buffer
}

/** The file system's clock and this process's may differ by a tick. */
const CLOCK_SLACK_MS = 20

/** The time in which a command runs: keeps how each file stood before its first change in that time. */
export class CommandWindow {
  readonly before = new Map<string, FileBefore>()
  readonly #startedMs = Date.now()
  /** Another command ran in the same tree at the same time. */
  overlapped = false

  /** `generation`: of the index, when the command began. */
  constructor(readonly generation: number) {}

  /** A change was found: `bytes` of the earlier version if they are kept. */
  note(realPath: string, before: FileStamp | undefined, bytes: Buffer | undefined, after: FileStamp | undefined): void {
    if (this.before.has(realPath)) return
    // Files without a copy are not looked at when the command begins: their own clock says when they changed.
    const isOlder = after !== undefined && after.ctimeMs < this.#startedMs - CLOCK_SLACK_MS
    if (before !== undefined && bytes === undefined && isOlder) return
    this.before.set(realPath, { stamp: before ?? null, ...(bytes && { bytes }) })
  }

  /** A tool wrote or removed the file meanwhile: for the command it is as if it had found it so. */
  noteWritten(realPath: string, bytes: Buffer | null): void {
    if (bytes === null) this.before.set(realPath, { stamp: null })
    else this.before.set(realPath, { stamp: { sizeBytes: bytes.length, mode: 0o644 }, bytes })
  }
}
