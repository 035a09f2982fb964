import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'

/** The name of a file that is written before it takes another's place. Short: with that one's name in it, it might not fit. */
export function createTemporaryName(): string {
  return `.deckhand-${randomUUID().slice(-12)}.tmp`
}

/** True for the path of such a file, of this process or of another: it is gone in a moment. */
export function isTemporary(path: string): boolean {
  return /^\.deckhand-[0-9a-f]{12}\.tmp$/.test(basename(path))
}
