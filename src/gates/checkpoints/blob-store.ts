import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hashBytes } from '../../workspace/index.js'

const MAX_AGE_MS = 90 * 24 * 60 * 60 * 1000
/** After an eviction so much of the limit is used. */
const KEPT_SHARE = 0.9
/** So much may be added before the directory is counted again: other processes add to it too. */
const RECOUNT_SHARE = 0.05

/** Contents of files by their SHA-256, in a directory that only its owner reads. Bounded: what was used longest ago goes first. */
export class BlobStore {
  #totalBytes: number | undefined
  #addedBytes = 0
  #making: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly directory: string,
    private readonly maxBytes: number,
  ) {}

  /** Keeps these bytes and answers their hash. Throws what the file system throws. */
  async put(bytes: Buffer): Promise<string> {
    const hash = await hashBytes(bytes)
    const path = this.#path(hash)
    const now = new Date()
    // The time of a blob says when it was last needed.
    const isKept = await utimes(path, now, now).then(
      () => true,
      () => false,
    )
    if (isKept) return hash
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
    try {
      await writeFile(draft, bytes, { mode: 0o600, flag: 'wx' })
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {})
      throw error
    }
    this.#addedBytes += bytes.length
    this.#makeRoom()
    return hash
  }

  /** Undefined if it is gone or not what it was. */
  async get(hash: string): Promise<Buffer | undefined> {
    const bytes = await readFile(this.#path(hash)).catch(() => undefined)
    return bytes !== undefined && (await hashBytes(bytes)) === hash ? bytes : undefined
  }

  async remove(hash: string): Promise<void> {
    await rm(this.#path(hash), { force: true }).catch(() => {})
  }

  /** Settles when nothing is being removed. */
  settled(): Promise<unknown> {
    return this.#making
  }

  #path(hash: string): string {
    return join(this.directory, hash.slice(0, 2), hash)
  }

  #makeRoom(): void {
    const isCounted = this.#totalBytes !== undefined && this.#addedBytes < this.maxBytes * RECOUNT_SHARE
    if (isCounted && this.#totalBytes! + this.#addedBytes <= this.maxBytes) return
    this.#making = this.#making.then(() => this.#evict()).catch(() => {})
  }

  async #evict(): Promise<void> {
    this.#addedBytes = 0
    const blobs = await this.#list()
    let total = blobs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    const target = total > this.maxBytes ? this.maxBytes * KEPT_SHARE : this.maxBytes
    const oldestMs = Date.now() - MAX_AGE_MS
    for (const { path, sizeBytes, usedMs } of blobs.sort((one, other) => one.usedMs - other.usedMs)) {
      if (total <= target && usedMs >= oldestMs) break
      await rm(path, { force: true })
      total -= sizeBytes
    }
    this.#totalBytes = total
  }

  async #list(): Promise<{ path: string; sizeBytes: number; usedMs: number }[]> {
    const found: { path: string; sizeBytes: number; usedMs: number }[] = []
    for (const folder of await readdir(this.directory).catch(() => [])) {
      for (const name of await readdir(join(this.directory, folder)).catch(() => [])) {
        const path = join(this.directory, folder, name)
        const stats = await stat(path).catch(() => undefined)
        if (stats) found.push({ path, sizeBytes: stats.size, usedMs: stats.mtimeMs })
      }
    }
    return found
  }
}
