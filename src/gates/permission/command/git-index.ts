import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTask } from 'node:timers/promises'

const MAX_INDEX_BYTES = 64 * 1024 * 1024
const MAX_LINKS = 500
/** Entries that are read between two turns of the event loop. */
const BATCH = 20_000

const GITLINK = 0o160000
const FOLDER = 0o040000
/** Where the mode and the object's name stand in an entry. */
const MODE_AT = 24
const OBJECT_AT = 40

/**
 * The paths at which the index of a git folder has another repository, relative to the work tree, with `/`; undefined if it
 * cannot be read through.
 */
export async function findGitLinks(gitFolder: string, { sha256 }: { sha256: boolean }): Promise<string[] | undefined> {
  const names = await readdir(gitFolder).catch(() => [])
  const files = names.filter(name => name === 'index' || name.startsWith('sharedindex.'))
  const links: string[] = []
  for (const file of files) {
    const bytes = await readIndex(join(gitFolder, file))
    const found = bytes && (await linksOf(bytes, sha256 ? 32 : 20))
    if (found === undefined) return undefined
    links.push(...found)
    if (links.length > MAX_LINKS) return undefined
  }
  return links
}

async function readIndex(path: string): Promise<Buffer | undefined> {
  try {
    return (await stat(path)).size > MAX_INDEX_BYTES ? undefined : await readFile(path)
  } catch {
    return undefined
  }
}

/** Entries of versions 2 to 4, as git's index-format document describes them. */
async function linksOf(bytes: Buffer, objectBytes: number): Promise<string[] | undefined> {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined
  // Most indices hold these bytes nowhere, and need no reading.
  if (!bytes.includes(modeBytes(GITLINK)) && !bytes.includes(modeBytes(FOLDER))) return []
  const version = bytes.readUInt32BE(4)
  const count = bytes.readUInt32BE(8)
  if (version < 2 || version > 4) return undefined
  const links: string[] = []
  let before: Buffer = Buffer.alloc(0)
  let at = 12
  for (let entry = 0; entry < count; entry++) {
    if (entry % BATCH === BATCH - 1) await nextTask()
    const flagsAt = at + OBJECT_AT + objectBytes
    if (flagsAt + 2 > bytes.length) return undefined
    const mode = bytes.readUInt32BE(at + MODE_AT)
    let nameAt = flagsAt + ((bytes.readUInt16BE(flagsAt) & 0x4000) === 0 ? 2 : 4)
    let kept = 0
    if (version === 4) {
      const cut = readOffset(bytes, nameAt)
      if (cut === undefined || cut.value > before.length) return undefined
      kept = before.length - cut.value
      nameAt = cut.next
    }
    const end = bytes.indexOf(0, nameAt)
    if (end < 0) return undefined
    const name = bytes.subarray(nameAt, end)
    // A folder stands for entries that are not told; a link without a name for one of the shared index.
    if (mode === FOLDER || (mode === GITLINK && kept + name.length === 0)) return undefined
    if (version === 4) before = Buffer.concat([before.subarray(0, kept), name])
    if (mode === GITLINK) links.push((version === 4 ? before : name).toString('utf8'))
    if (links.length > MAX_LINKS) return undefined
    // Before version 4 one to eight zeros end an entry at a multiple of eight.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7)
  }
  return links
}

function modeBytes(mode: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(mode)
  return bytes
}

function readOffset(bytes: Buffer, start: number): { value: number; next: number } | undefined {
  let at = start
  let byte = bytes[at++] ?? 0
  let value = byte & 127
  while (byte & 128) {
    if (at - start > 4 || at >= bytes.length) return undefined
    byte = bytes[at++] ?? 0
    value = (value + 1) * 128 + (byte & 127)
  }
  return { value, next: at }
}
