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

/** Decides without looking at any clock. Never takes a buffer for newer unless the disk is known not to have changed. */
export function toBufferState({ disk, buffer, seen, known, conflict, untouched }: BufferFacts): BufferState {
  if (disk === buffer) return 'clean'
  const isKnownBuffer = buffer === known?.buffer || buffer === seen
  // Without a file there is nothing on the disk that a save could lose.
  if (disk === null) return isKnownBuffer && known?.disk !== null && !wasUnsaved(known) ? 'gone' : 'unsaved'
  if (disk === conflict) return 'conflict'
  if (disk === known?.disk || disk === seen) return 'unsaved'
  if (isKnownBuffer) return 'stale'
  return untouched ? 'unsaved' : 'conflict'
}

function wasUnsaved(known: KnownPair | undefined): boolean {
  return known !== undefined && known.disk !== known.buffer
}
