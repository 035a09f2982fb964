import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** One temporary folder per session, which its commands find as /tmp: what one leaves there the next one sees. */
export class TemporaryFolders {
  readonly #folders = new Map<string, Promise<string>>()

  /** Absolute; made at the first use. */
  get(sessionId: string): Promise<string> {
    const known = this.#folders.get(sessionId)
    if (known) return known
    const made = mkdtemp(join(tmpdir(), 'deckhand-sandbox-'))
    this.#folders.set(sessionId, made)
    made.catch(() => this.#folders.delete(sessionId))
    return made
  }

  /** Removes them all. Never rejects. */
  async close(): Promise<void> {
    const folders = [...this.#folders.values()]
    this.#folders.clear()
    await Promise.allSettled(
      folders.map(async folder => rm(await folder, { recursive: true, force: true, maxRetries: 2 })),
    )
  }
}
