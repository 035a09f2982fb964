import { type FileStamp, isSameVersion } from './file-stamp.js'

interface Held {
  stamp: FileStamp
  bytes: Buffer
}

/** What an entry costs besides its bytes. */
const ENTRY_BYTES = 256

/** Copies of files as they were last seen, by real path; bounded in bytes, the copy that came first goes first. */
export class ContentStore {
  readonly #held = new Map<string, Held>()
  #bytes = 0

  constructor(private readonly maxBytes: number) {}

  /** The bytes of this version of the file. */
  get(realPath: string, stamp: FileStamp): Buffer | undefined {
    const held = this.#held.get(realPath)
    return held !== undefined && isSameVersion(held.stamp, stamp) ? held.bytes : undefined
  }

  has(realPath: string): boolean {
    return this.#held.has(realPath)
  }

  put(realPath: string, stamp: FileStamp, bytes: Buffer): void {
    this.drop(realPath)
    if (bytes.length + ENTRY_BYTES > this.maxBytes) return
    this.#held.set(realPath, { stamp, bytes })
    this.#bytes += bytes.length + ENTRY_BYTES
    for (const [oldest] of this.#held) {
      if (this.#bytes <= this.maxBytes) break
      this.drop(oldest)
    }
  }

  drop(realPath: string): void {
    const held = this.#held.get(realPath)
    if (held === undefined) return
    this.#held.delete(realPath)
    this.#bytes -= held.bytes.length + ENTRY_BYTES
  }

  /** True if a file of this size fits without another being dropped. */
  hasRoom(sizeBytes: number): boolean {
    return this.#bytes + sizeBytes + ENTRY_BYTES <= this.maxBytes
  }
}
