import { closeSync, constants, fdatasync, fstatSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { HarnessError } from '../cards/index.js'
import type { LoggedEvent, SessionEvent, SessionHeader } from './events.js'
import { logError, stateDirError } from './io-failure.js'
import { lockNewSession, type SessionLock } from './lock.js'
import { MAX_LINE_BYTES } from './log-lines.js'

type ConfigEvent = Extract<SessionEvent, { type: 'session/config' }>

/** The append-only log of one session, and the lock on it. One writer at a time. */
export class SessionLog {
  private fd: number | undefined
  private lock: SessionLock | undefined
  private config: LoggedEvent | undefined
  private isTorn = false
  private isClosed = false
  private readonly syncing = new Set<Promise<void>>()

  private constructor(
    /** Absolute. */
    readonly path: string,
    readonly header: SessionHeader,
  ) {}

  /**
   * A log without a file. The first event that is not session/config makes it, with its directory and the lock; settings
   * made before are kept and written along. So a session that never got a prompt leaves nothing.
   */
  static create(path: string, header: SessionHeader): SessionLog {
    return new SessionLog(path, header)
  }

  /** Goes on with an existing log. Takes over the lock, also if it throws: LOG_FAILED. */
  static reopen(path: string, header: SessionHeader, lock: SessionLock): SessionLog {
    const log = new SessionLog(path, header)
    try {
      log.fd = openSync(path, constants.O_APPEND | constants.O_RDWR)
      log.isTorn = lacksNewline(log.fd)
      log.lock = lock
      return log
    } catch (cause) {
      if (log.fd !== undefined) closeSync(log.fd)
      lock.release()
      throw logError(path, 'written', cause)
    }
  }

  /** True once there is a file. */
  get isWritten(): boolean {
    return this.fd !== undefined
  }

  /**
   * Writes one record and returns it; when it returns, a kill of the process cannot lose it. Throws STATE_DIR_FAILED or
   * SESSION_LOCKED if the log cannot be started, LOG_FAILED if the write fails, TOO_LARGE; the event then counts as not logged.
   */
  append(event: SessionEvent, at: number = Date.now()): LoggedEvent {
    if (this.isClosed) throw new HarnessError('LOG_FAILED', `The session log ${this.path} is closed.`)
    // `at` first: a record is recognised by its first key when a line has to be repaired.
    const logged: LoggedEvent = Object.assign({ at }, event, { at })
    if (this.fd !== undefined) this.write(this.fd, encode(logged))
    else if (event.type === 'session/config') this.config = Object.assign({}, this.config, defined(event), { at })
    else this.begin(encode(this.header), this.config ? encode(this.config) : '', encode(logged))
    return logged
  }

  /** Brings what was appended to the disk; meant for the end of a turn. LOG_FAILED if the disk refuses. */
  sync(): Promise<void> {
    const { fd } = this
    if (fd === undefined || this.isClosed) return Promise.resolve()
    const done = new Promise<void>((resolve, reject) => {
      fdatasync(fd, cause => (cause ? reject(logError(this.path, 'written', cause)) : resolve()))
    })
    this.syncing.add(done)
    const settle = () => this.syncing.delete(done)
    done.then(settle, settle)
    return done
  }

  /** Closes the file and releases the lock, after a sync that is under way. Idempotent; never rejects. */
  async close(): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    await Promise.allSettled(this.syncing)
    try {
      if (this.fd !== undefined) closeSync(this.fd)
    } catch {
      // A file system may report an earlier write here; the appends have had their answers.
    }
    this.lock?.release()
  }

  private begin(...records: string[]): void {
    const directory = dirname(this.path)
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
    } catch (cause) {
      throw stateDirError(directory, cause)
    }
    const lock = lockNewSession(directory, this.header.id)
    let fd: number | undefined
    try {
      fd = openSync(this.path, 'ax', 0o600)
      writeWhole(fd, records.join(''))
    } catch (cause) {
      // A log without its first event is no session: the next append starts afresh.
      if (fd !== undefined) {
        closeSync(fd)
        rmSync(this.path, { force: true })
      }
      lock.release()
      throw stateDirError(directory, cause)
    }
    this.fd = fd
    this.lock = lock
    this.config = undefined
  }

  private write(fd: number, record: string): void {
    try {
      writeWhole(fd, this.isTorn ? `\n${record}` : record)
      this.isTorn = false
    } catch (cause) {
      this.isTorn = true
      throw logError(this.path, 'written', cause)
    }
  }
}

function encode(record: LoggedEvent | SessionHeader): string {
  const line = JSON.stringify(record)
  if (Buffer.byteLength(line) <= MAX_LINE_BYTES) return `${line}\n`
  throw new HarnessError('TOO_LARGE', `A ${record.type} event of over ${MAX_LINE_BYTES} bytes cannot be logged.`)
}

function writeWhole(fd: number, text: string): void {
  const bytes = Buffer.from(text)
  let done = 0
  while (done < bytes.length) done += writeSync(fd, bytes, done)
}

/** True if the file ends in the middle of a line, so that the next record needs a fresh one (B50). */
function lacksNewline(fd: number): boolean {
  const { size } = fstatSync(fd)
  const last = Buffer.alloc(1)
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a
}

function defined(event: ConfigEvent): ConfigEvent {
  return Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined)) as ConfigEvent
}
