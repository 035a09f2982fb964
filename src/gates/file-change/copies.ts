import type { FileStamp } from './file-stamp.js'

/** A file as it was last seen, and a copy of its bytes if one is kept. */
export interface KnownFile {
  readonly stamp: FileStamp
  copy?: Buffer
}

/** What a copy costs besides its bytes. */
const ENTRY_BYTES = 512

/** Bounds the copies of all trees together: with too many bytes the copy that was made first goes first. */
export class Copies {
  readonly #files = new Set<KnownFile>()
  #bytes = 0

  constructor(private readonly maxBytes: number) {}

  /** True if a file of this size fits without another copy being dropped. */
  hasRoom(sizeBytes: number): boolean {
    return this.#bytes + sizeBytes + ENTRY_BYTES <= this.maxBytes
  }

  keep(file: KnownFile, bytes: Buffer): void {
    this.drop(file)
    if (bytes.length + ENTRY_BYTES > this.maxBytes) return
    file.copy = bytes
    this.#files.add(file)
    this.#bytes += bytes.length + ENTRY_BYTES
    for (const oldest of this.#files) {
      if (this.#bytes <= this.maxBytes) break
      this.drop(oldest)
    }
  }

  drop(file: KnownFile): void {
    if (file.copy === undefined) return
    this.#bytes -= file.copy.length + ENTRY_BYTES
    delete file.copy
    this.#files.delete(file)
  }
}
