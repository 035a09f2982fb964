import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Context } from 'cordis'
import { HarnessError } from '../cards/index.js'
import { errnoOf, toFileError } from './file-error.js'
import { MAX_FILE_BYTES } from './read-file.js'
import type { ResolvedPath, WorkspaceAgent } from './resolve-path.js'

/** A file as it stood before a write. */
export interface ReplacedFile {
  bytes: Buffer
  /** Permission bits. */
  mode: number
}

/** A write or a removal that `ctx.files` is about to do, or has done. The path was let through by then. */
export interface FileWrite {
  readonly agent: WorkspaceAgent | undefined
  /** Absolute, as the session spells it. */
  readonly path: string
  readonly realPath: string
  /** What the file will hold, or holds; null: it is removed. */
  readonly bytes: Buffer | null
  /** What is replaced; null if there is no file. Reads at most once, and only before the write. Throws TOO_LARGE, FILE_FAILED. */
  readonly before: () => Promise<ReplacedFile | null>
}

/** A file that a command changed, where the content before is known. */
export interface CommandWrite extends Pick<FileWrite, 'path' | 'realPath' | 'bytes'> {
  readonly before: ReplacedFile | null
}

export interface CommandChange {
  readonly agent: WorkspaceAgent
  readonly files: readonly CommandWrite[]
  /** How many more it changed, of which the contents are not known. */
  readonly unkept: number
}

declare module 'cordis' {
  interface Events {
    /** Awaited before anything of the file changes. What a listener throws is logged, and the write goes on. */
    'files/before-write'(write: FileWrite): void | Promise<void>
    /** The file was written or removed; `before` answers only if it was asked before. */
    'files/after-write'(write: FileWrite): void | Promise<void>
    /** A command of this agent has ended, and these files changed while it ran. */
    'files/command-change'(change: CommandChange): void | Promise<void>
  }
}

/** `known`: the bytes that the caller has just read and means to replace. */
export function toFileWrite(
  agent: WorkspaceAgent | undefined,
  target: ResolvedPath,
  bytes: Buffer | null,
  known: Buffer | undefined,
): FileWrite {
  let before: Promise<ReplacedFile | null> | undefined
  return {
    agent,
    path: target.path,
    realPath: target.realPath,
    bytes,
    before: () => {
      before ??= readReplaced(target, known)
      return before
    },
  }
}

/** What tells the listeners of an event, and waits for them; it never rejects. */
export function createAnnouncer(
  ctx: Context,
): (event: 'files/before-write' | 'files/after-write', write: FileWrite) => Promise<void> {
  const { parallel } = ctx
  return async (event, write) => {
    try {
      await parallel(event, write)
    } catch (error) {
      ctx.logger('files').warn('a listener of %s failed: %s', event, String(error))
    }
  }
}

async function readReplaced(target: ResolvedPath, known: Buffer | undefined): Promise<ReplacedFile | null> {
  try {
    const stats = statSync(target.realPath, { throwIfNoEntry: false })
    if (stats === undefined) return null
    if (stats.size > MAX_FILE_BYTES) throw new HarnessError('TOO_LARGE', `${target.spoken} is too large to be kept.`)
    return { bytes: known ?? (await readFile(target.realPath)), mode: stats.mode & 0o7777 }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null
    throw toFileError(error, 'read', target.spoken)
  }
}
