import { isRecord } from '../../cards/index.js'
import type { IndexLine, KeptFile } from './turn-changes.js'

/** A line of an index as it was written; undefined if it is torn, damaged or of another form. */
export function parseIndexLine(text: string): IndexLine | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(value) || !isText(value.turnId)) return undefined
  const { type, turnId, realPath, path, after, before, madeFolder, count } = value
  if (type === 'unkept') return isCount(count) ? { type, turnId, count } : undefined
  if (!isText(realPath)) return undefined
  if (type === 'after') return isText(after) || after === null ? { type, turnId, realPath, after } : undefined
  if (type !== 'before' || !isText(path) || !isKeptFile(before)) return undefined
  return { type, turnId, realPath, path, before, ...(isText(madeFolder) && { madeFolder }) }
}

function isKeptFile(value: unknown): value is KeptFile {
  if (!isRecord(value)) return false
  switch (value.kind) {
    case 'none':
      return true
    case 'kept':
      return isText(value.hash) && /^[0-9a-f]{64}$/.test(value.hash) && Number.isSafeInteger(value.mode)
    case 'lost':
      return isText(value.why)
    default:
      return false
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}
