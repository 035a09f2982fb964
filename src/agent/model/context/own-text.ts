import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import { toWellFormed } from '../../../cards/index.js'
import { isInside, isSecretName } from '../../../workspace/index.js'

export interface OwnText {
  text: string
  /** Bytes of the file; more than the text has if it was cut. */
  bytes: number
}

/**
 * The start of a text file that goes to the model by itself; undefined if there is none. With `within`, what a link there
 * leads to must lie in that directory too, and have no secret's name: a repository must not make a key part of the prompt (B63).
 */
export async function readOwnText(path: string, maxBytes: number, within?: string): Promise<OwnText | undefined> {
  try {
    const real = await realpath(path)
    if (within !== undefined && (!isInside(await realpath(within), real) || isSecretName(basename(real))))
      return undefined
    // A FIFO of this name must not block.
    const file = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const stat = await file.stat()
      if (!stat.isFile()) return undefined
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(maxBytes, stat.size)), 0)
      const text = buffer
        .subarray(0, bytesRead)
        .toString('utf8')
        .replace(/^\uFEFF/, '')
      return text.includes('\0') ? undefined : { text: toWellFormed(text), bytes: stat.size }
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  }
}
