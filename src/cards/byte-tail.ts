/** Keeps the last `maxBytes` of what is pushed, in a buffer of that size. */
export class ByteTail {
  readonly maxBytes: number
  #ring: Buffer | undefined
  #end = 0
  #totalBytes = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** All that was ever pushed. */
  get totalBytes(): number {
    return this.#totalBytes
  }

  push(bytes: Uint8Array): void {
    this.#totalBytes += bytes.length
    if (bytes.length === 0 || this.maxBytes === 0) return
    this.#ring ??= Buffer.allocUnsafe(this.maxBytes)
    const kept = bytes.length > this.maxBytes ? bytes.subarray(bytes.length - this.maxBytes) : bytes
    const room = this.maxBytes - this.#end
    if (kept.length <= room) this.#ring.set(kept, this.#end)
    else {
      this.#ring.set(kept.subarray(0, room), this.#end)
      this.#ring.set(kept.subarray(room), 0)
    }
    this.#end = (this.#end + kept.length) % this.maxBytes
  }

  /** A copy of what is kept, in order. */
  read(): Buffer {
    if (this.#ring === undefined) return Buffer.alloc(0)
    if (this.#totalBytes < this.maxBytes) return Buffer.from(this.#ring.subarray(0, this.#end))
    return Buffer.concat([this.#ring.subarray(this.#end), this.#ring.subarray(0, this.#end)])
  }
}
