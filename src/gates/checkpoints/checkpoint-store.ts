import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasErrorCode } from '../../cards/index.js'
import {
  type CommandChange,
  type FileWrite,
  firstMissing,
  hashBytes,
  type ReplacedFile,
} from '../../workspace/index.js'
import { BlobStore } from './blob-store.js'
import { SessionIndex } from './session-index.js'
import type { KeptFile, TurnRecord } from './turn-changes.js'

export interface StoreOptions {
  /** Absolute. */
  directory: string
  maxBytes: number
  maxFileBytes: number
  /** A checkpoint that could not be kept: the write goes on without it. */
  warn(problem: string): void
}

const MAX_AGE_MS = 90 * 24 * 60 * 60 * 1000
const INDEX_ENDING = '.jsonl'

/** What the files were before each turn of each session changed them. */
export class CheckpointStore {
  readonly #blobs: BlobStore
  readonly #indexes = new Map<string, SessionIndex>()
  readonly #sessions: string
  #commands: Promise<void> = Promise.resolve()

  constructor(private readonly options: StoreOptions) {
    this.#blobs = new BlobStore(join(options.directory, 'blobs'), options.maxBytes)
    this.#sessions = join(options.directory, 'sessions')
  }

  /** Keeps what a write is about to replace, if it is the turn's first of this file. Never rejects. */
  async keep(write: Omit<FileWrite, 'bytes'>): Promise<void> {
    // What a command did before this write comes first.
    await this.#commands
    await this.#keepFirst(write)
  }

  /** Notes what a write left. Never rejects. */
  async noteResult({ agent, realPath, bytes }: Pick<FileWrite, 'agent' | 'realPath' | 'bytes'>): Promise<void> {
    const turnId = agent?.turnId
    if (agent === undefined || turnId === undefined) return
    try {
      const after = bytes === null ? null : await hashBytes(bytes)
      await this.#index(agent.sessionId).add({ type: 'after', turnId, realPath, after })
    } catch (error) {
      this.options.warn(`the checkpoint of ${realPath} is not complete: ${String(error)}`)
    }
  }

  /** Keeps what a command has changed, while the session goes on; what needs it waits. */
  noteCommand(change: CommandChange): void {
    this.#commands = this.#commands.then(() => this.#keepCommand(change)).catch(() => {})
  }

  /** The last turn but `current` that changed files. */
  async lastTurn(sessionId: string, current: string | undefined): Promise<TurnRecord | undefined> {
    await this.#commands
    return (await this.#index(sessionId).changes()).last(current)
  }

  /** The content that was kept; undefined if it is gone. */
  read(hash: string): Promise<Buffer | undefined> {
    return this.#blobs.get(hash)
  }

  /** A session was closed: its index is read again when it is needed. */
  release(sessionId: string): void {
    this.#indexes.delete(sessionId)
  }

  /** Removes what only this session needs. Never rejects. */
  async forget(sessionId: string): Promise<void> {
    try {
      await this.#commands
      const hashes = (await this.#index(sessionId).changes())
        .toLines()
        .flatMap(line => (line.type === 'before' && line.before.kind === 'kept' ? [line.before.hash] : []))
      await this.#index(sessionId).drop()
      this.#indexes.delete(sessionId)
      const unused = new Set(hashes)
      for (const name of unused.size > 0 ? await readdir(this.#sessions) : []) {
        const text = await readFile(join(this.#sessions, name), 'utf8').catch(() => '')
        for (const hash of unused) if (text.includes(hash)) unused.delete(hash)
      }
      for (const hash of unused) await this.#blobs.remove(hash)
    } catch (error) {
      this.options.warn(`checkpoints of the session ${sessionId} could not be removed: ${String(error)}`)
    }
  }

  /** Removes the indexes of sessions that changed nothing for 90 days. Never rejects. */
  async prune(): Promise<void> {
    for (const name of await readdir(this.#sessions).catch(() => [])) {
      const path = join(this.#sessions, name)
      const stats = await stat(path).catch(() => undefined)
      if (stats && stats.mtimeMs < Date.now() - MAX_AGE_MS) await rm(path, { force: true }).catch(() => {})
    }
  }

  /** Settles when nothing is being kept or removed. */
  async settled(): Promise<void> {
    await this.#commands
    await this.#blobs.settled()
  }

  async #keepFirst({ agent, realPath, path, before }: Omit<FileWrite, 'bytes'>): Promise<void> {
    const turnId = agent?.turnId
    if (agent === undefined || turnId === undefined) return
    try {
      const index = this.#index(agent.sessionId)
      if ((await index.changes()).find(turnId, realPath) !== undefined) return
      const kept = await this.#keep(before)
      const madeFolder = kept.kind === 'none' ? firstMissing(dirname(realPath)) : undefined
      await index.add({ type: 'before', turnId, realPath, path, before: kept, ...(madeFolder && { madeFolder }) })
    } catch (error) {
      this.options.warn(`${realPath} is changed without a checkpoint: ${String(error)}`)
    }
  }

  async #keepCommand({ agent, files, unkept }: CommandChange): Promise<void> {
    const { sessionId, turnId } = agent
    if (turnId === undefined) return
    for (const { realPath, path, before, bytes } of files) {
      await this.#keepFirst({ agent, realPath, path, before: async () => before })
      await this.noteResult({ agent, realPath, bytes })
    }
    if (unkept > 0) await this.#index(sessionId).add({ type: 'unkept', turnId, count: unkept })
  }

  async #keep(before: () => Promise<ReplacedFile | null>): Promise<KeptFile> {
    try {
      const replaced = await before()
      if (replaced === null) return { kind: 'none' }
      const { bytes, mode } = replaced
      if (bytes.length > this.options.maxFileBytes) return { kind: 'lost', why: 'the file was too large' }
      return { kind: 'kept', hash: await this.#blobs.put(bytes), mode }
    } catch (error) {
      this.options.warn(`a checkpoint could not be written: ${String(error)}`)
      return {
        kind: 'lost',
        why: hasErrorCode(error, 'TOO_LARGE') ? 'the file was too large' : 'it could not be stored',
      }
    }
  }

  #index(sessionId: string): SessionIndex {
    const known = this.#indexes.get(sessionId)
    if (known !== undefined) return known
    const index = new SessionIndex(join(this.#sessions, `${encodeURIComponent(sessionId)}${INDEX_ENDING}`))
    this.#indexes.set(sessionId, index)
    return index
  }
}
