import { appendFileSync, mkdirSync } from 'node:fs'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseIndexLine } from './index-line.js'
import { type IndexLine, TurnChanges } from './turn-changes.js'

/** A longer index is written anew, shorter. */
const MAX_BYTES = 4 * 1024 * 1024

/** What each turn of one session changed, in a file of JSON lines that survives the process. */
export class SessionIndex {
  readonly #changes = new TurnChanges()
  #ready: Promise<void> | undefined
  #last: Promise<unknown> = Promise.resolve()
  #sizeBytes = 0
  #endsLine = true

  constructor(private readonly path: string) {}

  /** All that was recorded, once it is read. */
  async changes(): Promise<TurnChanges> {
    this.#ready ??= this.#read()
    await this.#ready
    return this.#changes
  }

  /** Records in the order of the calls. Throws what the file system throws; what was recorded counts in this process all the same. */
  async add(line: IndexLine): Promise<void> {
    const changes = await this.changes()
    changes.apply(line)
    const run = this.#last.then(() => this.#append(line))
    this.#last = run.catch(() => {})
    await run
  }

  /** Removes the file. */
  async drop(): Promise<void> {
    await this.#last
    await rm(this.path, { force: true })
  }

  async #read(): Promise<void> {
    const content = await readFile(this.path, 'utf8').catch(() => '')
    this.#sizeBytes = Buffer.byteLength(content)
    this.#endsLine = content === '' || content.endsWith('\n')
    for (const text of content.split('\n')) {
      const line = parseIndexLine(text)
      if (line !== undefined) this.#changes.apply(line)
    }
    if (this.#sizeBytes > MAX_BYTES) await this.#rewrite().catch(() => {})
  }

  async #append(line: IndexLine): Promise<void> {
    // Behind a torn line the next would be lost too.
    const text = `${this.#endsLine ? '' : '\n'}${JSON.stringify(line)}\n`
    // At once, as the session's log: a line costs some microseconds.
    try {
      appendFileSync(this.path, text, { mode: 0o600 })
    } catch (error) {
      if (!isMissing(error)) throw error
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
      appendFileSync(this.path, text, { mode: 0o600 })
    }
    this.#endsLine = true
    this.#sizeBytes += Buffer.byteLength(text)
    if (this.#sizeBytes > MAX_BYTES) await this.#rewrite()
  }

  async #rewrite(): Promise<void> {
    const draft = `${this.path}.tmp`
    const lines = this.#changes.toLines().map(line => `${JSON.stringify(line)}\n`)
    await writeFile(draft, lines.join(''), { mode: 0o600 })
    await rename(draft, this.path)
    // Not below the limit, it is let grow to twice its size before the next try.
    this.#sizeBytes = Math.min((await stat(this.path)).size, MAX_BYTES / 2)
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
