import type { LoggedEvent, SessionHeader } from './events.js'
import type { LogFile } from './recovery.js'

/** A log that stands in no file, to be read as one that does. */
export function logInMemory(header: SessionHeader, events: readonly LoggedEvent[]): LogFile {
  const bytes = Buffer.from([header, ...events].map(record => `${JSON.stringify(record)}\n`).join(''))
  return {
    read: async (buffer, offset, length, position) => ({
      bytesRead: bytes.copy(buffer, offset, position, position + length),
    }),
    stat: async () => ({ size: bytes.length }),
    close: async () => {},
  }
}
