import { existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { HarnessError, hasErrorCode } from '../cards/index.js'
import { readIndex, writeIndex } from './digest-index.js'
import type { LoggedEvent, SessionHeader } from './events.js'
import { LOG_ENDING } from './header.js'
import { logError } from './io-failure.js'
import { lockSession, type SessionLock } from './lock.js'
import { SessionLog } from './log.js'
import { digestLog } from './log-digest.js'
import { type LogFile, type PruneLimits, type PruneReport, pruneLogs, sweepRemains } from './prune.js'
import { type LogReading, type LogWarning, type ReadLogOptions, readLog } from './recovery.js'
import { isSessionId, newSessionId } from './session-id.js'
import { type ListOptions, pageOf, type SessionPage, type SessionSummary } from './session-list.js'

const parallelFiles = 16

/** Gets the events of a log in order, batch by batch; a promise it returns is awaited. */
type BatchReceiver = (events: LoggedEvent[], header: SessionHeader) => void | Promise<void>

/** A session that this process may append to. Closing the log gives it free. */
export interface OpenedSession {
  readonly log: SessionLog
  readonly warnings: readonly LogWarning[]
  readonly unknownTypes: ReadonlyMap<string, number>
}

/** The sessions under one state directory. */
export class SessionStore {
  /** Absolute; made at the first prompt of the first session. */
  readonly directory: string

  constructor(stateDirectory: string) {
    this.directory = join(stateDirectory, 'sessions')
  }

  /** A new session. Touches no file: the log's first append does, and throws STATE_DIR_FAILED if it cannot. */
  create(session: { cwd: string; roots: readonly string[]; id?: string }): SessionLog {
    const { cwd, id = newSessionId() } = session
    const roots = [cwd, ...session.roots.filter(root => root !== cwd)]
    const created = new Date().toISOString()
    return SessionLog.create(this.pathOf(id), { type: 'session', version: 1, id, cwd, roots, created })
  }

  /**
   * Locks a session and hands its events to `receive`. Calls and a turn that a crash left open are closed first: the
   * closing events are appended to the log and come as the last batch, so a second open finds nothing to close.
   * SESSION_NOT_FOUND, SESSION_LOCKED, LOG_FAILED or STATE_DIR_FAILED; what `receive` throws passes through.
   */
  async open(id: string, receive: BatchReceiver = () => undefined, options?: ReadLogOptions): Promise<OpenedSession> {
    const path = this.pathOf(id)
    if (!existsSync(path)) throw notFound(id)
    const lock = await lockSession(this.directory, id)
    let log: SessionLog | undefined
    try {
      const reading = await readLog(path, options)
      let lastMs = 0
      for await (const events of reading.batches) {
        lastMs = events.at(-1)?.at ?? lastMs
        await receive(events, reading.header)
      }
      log = SessionLog.reopen(path, reading.header, lock)
      const closing = closeOpen(log, reading, lastMs)
      if (closing.length > 0) await receive(closing, reading.header)
      return { log, warnings: reading.warnings, unknownTypes: reading.unknownTypes }
    } catch (error) {
      await log?.close()
      lock.release()
      throw error
    }
  }

  /** Reads a session without locking it, up to what is logged now; nothing is written. SESSION_NOT_FOUND, LOG_FAILED. */
  async read(id: string, options?: ReadLogOptions): Promise<LogReading> {
    return await readLog(this.pathOf(id), options)
  }

  /** Newest first. Empty if the state directory is missing or cannot be read; INVALID_ARGS for a foreign cursor. */
  async list(options: ListOptions = {}): Promise<SessionPage> {
    return await pageOf(await this.summaries(), options)
  }

  /** Removes a session; false if there is none. SESSION_LOCKED if it is open, here or elsewhere. */
  async delete(id: string): Promise<boolean> {
    if (!isSessionId(id)) return false
    const path = this.pathOf(id)
    if (!(await stat(path).catch(() => undefined))) return false
    const lock: SessionLock = await lockSession(this.directory, id)
    try {
      await rm(path, { force: true })
    } catch (cause) {
      throw logError(path, 'removed', cause)
    } finally {
      lock.release()
    }
    return true
  }

  /** Removes what is too old or too much, oldest first, never a session in use, and what killed processes left. */
  async prune(limits: PruneLimits = {}): Promise<PruneReport> {
    const report = await pruneLogs(await this.files(), limits, id =>
      this.delete(id).then(
        () => true,
        () => false,
      ),
    )
    await sweepRemains(this.directory)
    return report
  }

  private pathOf(id: string): string {
    if (!isSessionId(id)) throw notFound(String(id))
    return join(this.directory, `${id}${LOG_ENDING}`)
  }

  private async summaries(): Promise<SessionSummary[]> {
    const files = await this.files()
    const index = await readIndex(this.directory)
    const fresh: typeof index = new Map()
    let isStale = false
    const summaries: SessionSummary[] = []
    await inParallel(files, async file => {
      const known = index.get(file.id)
      const isCurrent = known?.sizeBytes === file.sizeBytes && known.mtimeMs === file.mtimeMs
      isStale ||= !isCurrent
      const path = this.pathOf(file.id)
      const digest = isCurrent
        ? known
        : await digestLog(path, { size: file.sizeBytes, mtimeMs: file.mtimeMs }, known).catch(() => undefined)
      if (!digest) return
      fresh.set(file.id, digest)
      const { session } = digest
      if (session?.updatedMs === undefined) return
      const { created, cwd, title, updatedMs } = session
      const updatedAt = new Date(updatedMs).toISOString()
      summaries.push({ id: file.id, cwd, created, updatedAt, ...(title !== undefined && { title }) })
    })
    if (isStale || fresh.size !== index.size) await writeIndex(this.directory, fresh)
    return summaries
  }

  private async files(): Promise<LogFile[]> {
    const names = await readdir(this.directory).catch(() => [])
    const ids = names.filter(name => name.endsWith(LOG_ENDING)).map(name => name.slice(0, -LOG_ENDING.length))
    const files: LogFile[] = []
    await inParallel(ids.filter(isSessionId), async id => {
      const found = await stat(this.pathOf(id)).catch(() => undefined)
      if (found?.isFile()) files.push({ id, sizeBytes: found.size, mtimeMs: found.mtimeMs })
    })
    return files
  }
}

function notFound(id: string): HarnessError {
  return new HarnessError('SESSION_NOT_FOUND', `There is no session ${JSON.stringify(id.slice(0, 64))}.`)
}

/** Appends what is missing, at the time of the last event: loading a session does not make it the newest. */
function closeOpen(log: SessionLog, reading: LogReading, at: number): LoggedEvent[] {
  return reading.closing().map(event => {
    try {
      return log.append(event, at)
    } catch (error) {
      // A full disk must not keep a session from being shown; the next prompt says what is wrong.
      if (!hasErrorCode(error, 'LOG_FAILED')) throw error
      return Object.assign({}, event, { at })
    }
  })
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  const workers = Array.from({ length: parallelFiles }, async () => {
    for (const item of queue) await work(item)
  })
  await Promise.all(workers)
}
