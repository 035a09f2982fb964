import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type WalkOptions, walk } from '../../src/workspace/walk.js'
import { copyTree, putTree, type TreeName } from '../support/tree.js'

/** A tree in a directory of its own, gone when the test ends: files as given, or a tree of fixtures/trees. */
export async function openTree(tree: Record<string, string | Uint8Array> | TreeName): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-walk-')))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  if (typeof tree === 'string') await copyTree(tree, directory)
  else await putTree(directory, tree)
  return directory
}

/** Everything a walk yields, as relative paths, with its summary. */
export async function pathsOf(root: string, options: Partial<WalkOptions> = {}) {
  const walked = walk({ start: root, roots: [root], ...options })
  const paths: string[] = []
  for await (const entry of walked) paths.push(entry.relativePath)
  return { paths, summary: walked.summary }
}
