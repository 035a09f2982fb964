import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { HarnessError } from '../cards/index.js'
import { isInside } from '../workspace/index.js'

/** A directory of its own for one run of a sample. */
export interface ScratchTree {
  /** Absolute, free of links: the cwd of the call. */
  readonly cwd: string
  /** What stands in it now, and in the directory around it. */
  look(): Promise<TreeState>
  remove(): Promise<void>
}

/** Absolute path → what stands there. */
export type TreeState = ReadonlyMap<string, TreeEntry>

/** An entry of the tree; a link counts as what it is, not as where it leads. */
export interface TreeEntry {
  kind: 'file' | 'directory' | 'other'
  /** Equal if and only if the entry is unchanged. */
  mark: string
  /** Of a file up to 8 MiB. */
  bytes?: Buffer
}

const MAX_KEPT_BYTES = 8 * 1024 * 1024
const MAX_ENTRIES = 20_000

/**
 * A new folder for temporary files with these in it, by their paths from the workspace. INVALID_ARGS for one that would lie outside
 * of that; nothing is left then.
 */
export async function makeScratchTree(files: Record<string, string | Uint8Array> = {}): Promise<ScratchTree> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-contract-')))
  const remove = () => rm(root, { recursive: true, force: true, maxRetries: 3 })
  try {
    // One level down, so that a write beside the workspace is seen too.
    const cwd = join(root, 'project')
    await mkdir(cwd)
    for (const [name, content] of Object.entries(files)) {
      const path = join(cwd, name)
      if (!isInside(cwd, path)) throw new HarnessError('INVALID_ARGS', `The sample's file ${name} leaves the tree.`)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, content)
    }
    return { cwd, look: () => lookAt(root), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Paths whose entries differ, in path order; directories only where nothing in them changed. */
export function changedPaths(before: TreeState, after: TreeState): string[] {
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    path => before.get(path)?.mark !== after.get(path)?.mark,
  )
  const isDirectory = (path: string) => (after.get(path) ?? before.get(path))?.kind === 'directory'
  return changed
    .filter(path => !isDirectory(path) || !changed.some(other => other !== path && isInside(path, other)))
    .sort()
}

/** The files below `cwd` as text, by relative path with `/`. */
export function textsOf(state: TreeState, cwd: string): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [path, { bytes }] of state) {
    if (bytes !== undefined && isInside(cwd, path)) texts[relative(cwd, path).split(sep).join('/')] = bytes.toString()
  }
  return texts
}

async function lookAt(root: string): Promise<TreeState> {
  const state = new Map<string, TreeEntry>()
  const pending = [root]
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
      if (state.size >= MAX_ENTRIES) return state
      const path = join(directory, entry.name)
      if (entry.isDirectory()) {
        pending.push(path)
        state.set(path, { kind: 'directory', mark: 'directory' })
      } else if (entry.isFile()) {
        // A process of the sample may take it away meanwhile.
        const file = await toFileEntry(path).catch(() => undefined)
        if (file !== undefined) state.set(path, file)
      } else {
        const target = entry.isSymbolicLink() ? await readlink(path).catch(() => '') : ''
        state.set(path, { kind: 'other', mark: `other ${target}` })
      }
    }
  }
  return state
}

async function toFileEntry(path: string): Promise<TreeEntry> {
  const { mode, size, mtimeMs } = await stat(path)
  if (size > MAX_KEPT_BYTES) return { kind: 'file', mark: `file ${mode} ${size} ${mtimeMs}` }
  const bytes = await readFile(path)
  return { kind: 'file', mark: `file ${mode} ${createHash('sha256').update(bytes).digest('hex')}`, bytes }
}
