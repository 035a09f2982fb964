import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type WalkOptions, walk } from '../../src/workspace/walk.js'
import { putTree } from '../support/tree.js'

/** A tree in a directory of its own, gone when the test ends. */
export async function openTree(files: Record<string, string | Uint8Array>): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-walk-')))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await putTree(directory, files)
  return directory
}

/** Everything a walk yields, as relative paths, with its summary. */
export async function pathsOf(root: string, options: Partial<WalkOptions> = {}) {
  const walked = walk({ start: root, roots: [root], ...options })
  const paths: string[] = []
  for await (const entry of walked) paths.push(entry.relativePath)
  return { paths, summary: walked.summary }
}
