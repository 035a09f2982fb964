import type { LoggedEvent, SessionHeader } from './events.js'
import { SessionLog } from './log.js'
import { type LogFile, readLog } from './recovery.js'
import { SessionStore } from './store.js'

/** A store whose one session stands in no file; it can only be opened, and what is appended must not be. */
export class MemoryStore extends SessionStore {
  readonly #header: SessionHeader
  readonly #bytes: Buffer

  constructor(header: SessionHeader, events: readonly LoggedEvent[]) {
    super('')
    this.#header = header
    this.#bytes = Buffer.from([header, ...events].map(record => `${JSON.stringify(record)}\n`).join(''))
  }

  /** As a log that was closed in good order is opened. */
  override async open(...[id, receive]: Parameters<SessionStore['open']>): ReturnType<SessionStore['open']> {
    const reading = await readLog(id, { openFile: async () => toFile(this.#bytes) })
    for await (const events of reading.batches) await receive?.(events, reading.header)
    const { warnings, unknownTypes } = reading
    return { log: SessionLog.create('', this.#header), warnings, unknownTypes }
  }
}

function toFile(bytes: Buffer): LogFile {
  return {
    read: async (buffer, offset, length, position) => ({
      bytesRead: bytes.copy(buffer, offset, position, position + length),
    }),
    stat: async () => ({ size: bytes.length }),
    close: async () => {},
  }
}
