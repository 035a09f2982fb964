/**
 * How an editor's buffer stands to the file on the disk.
 * - `clean`: both hold the same text.
 * - `unsaved`: the buffer holds the user's text on top of what the disk has; the buffer counts.
 * - `gone`: the file was removed, and the buffer holds only what it had; the disk counts.
 * - `stale`: the disk has changed, and the buffer still holds what this session saw before.
 * - `conflict`: the disk may have changed, and the buffer holds other text; nobody can tell which is meant.
 */
export type BufferState = 'clean' | 'unsaved' | 'gone' | 'stale' | 'conflict'

/** Disk and buffer when they were last told apart with certainty, by the hashes of their bytes. `disk` null: no file. */
export interface KnownPair {
  readonly disk: string | null
  readonly buffer: string
}

export interface BufferFacts {
  /** Hashes of both, in the file's own line endings, as they are now. `disk` null: no file. */
  disk: string | null
  buffer: string
  /** Hash of what the session last saw of the file, from either. */
  seen: string | undefined
  known: KnownPair | undefined
  /** The disk's hash in a conflict that was found before. */
  conflict: string | undefined
  /** The file was not touched since the session was opened: an editor has had the time to reload it. */
  untouched: boolean
}

/**
 * What a session knows of both decides, and before it has looked at both, what it saw. A buffer is never taken for newer
 * than a disk that may have changed meanwhile.
 */
export function toBufferState({ disk, buffer, seen, known, conflict, untouched }: BufferFacts): BufferState {
  if (disk === buffer) return 'clean'
  const before = known ?? { disk: seen, buffer: seen }
  const isAsBefore = buffer === before.buffer
  // Without a file there is nothing on the disk that a save could lose.
  if (disk === null) return isAsBefore && before.disk === before.buffer ? 'gone' : 'unsaved'
  if (disk === conflict) return 'conflict'
  if (disk === before.disk) return 'unsaved'
  if (isAsBefore) return 'stale'
  return untouched && known === undefined ? 'unsaved' : 'conflict'
}
