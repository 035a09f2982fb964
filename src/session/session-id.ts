import { randomUUID } from 'node:crypto'

// Lower case only: on a case-insensitive file system two spellings would share one file and hold two locks.
const pattern = /^[0-9a-z](?:[0-9a-z_-]{0,62}[0-9a-z])?$/
// Windows takes these for devices, whatever stands after the first dot.
const device = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/

/** A new session id: a lower-case UUID. */
export function newSessionId(): string {
  return randomUUID()
}

/** True if `value` can be a session's id, and so a file name on every platform. Ids come from clients: check each. */
export function isSessionId(value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value) && !device.test(value)
}
