import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Context } from 'cordis'
import { onTestFinished } from 'vitest'
import { CommandWatch } from '../../../src/gates/file-change/command-watch.js'
import { Copies } from '../../../src/gates/file-change/copies.js'
import { EventBurst } from '../../../src/gates/file-change/event-burst.js'
import { createListing } from '../../../src/gates/file-change/tree-listing.js'
import { Trees, type TreesOptions } from '../../../src/gates/file-change/trees.js'
import { Files } from '../../../src/workspace/index.js'

export interface TreeBench {
  root: string
  trees: Trees
  /** Why trees were given up. */
  reasons: string[]
  /** Does something as a command would, and answers what was found: path → content before and after, null for none. */
  during(act: () => unknown): Promise<Record<string, Content>>
  /** The text of every file that is followed. */
  contents(): Promise<Map<string, string>>
}

type Content = [before: string | null | undefined, after: string | null | undefined]

/** The trees of the file-change gate over a temporary folder, without calls and processes. */
export async function openTreeBench(options: Partial<TreesOptions> = {}): Promise<TreeBench> {
  const outer = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-trees-')))
  const root = join(outer, 'root')
  const ctx = new Context()
  await ctx.plugin(Files)
  const list = createListing(ctx.files, [])
  const reasons: string[] = []
  const trees = new Trees({
    list,
    copies: new Copies(32 * 1024 * 1024),
    burst: new EventBurst(),
    maxWatchedFiles: 100_000,
    maxFiles: 20_000,
    maxLooksMs: 60_000,
    maxFileBytes: 256 * 1024,
    onGiveUp: (_, reason) => reasons.push(reason),
    ...options,
  })
  onTestFinished(async () => {
    trees.close()
    await ctx.fiber.dispose()
    await rm(outer, { recursive: true, force: true })
  })

  const during: TreeBench['during'] = async act => {
    const roots = trees.of([root])
    const command = await CommandWatch.begin(roots)
    // A machine that is slow for a moment makes no difference.
    for (const { watch } of roots) await watch.index.fill(() => false)
    await act()
    const { files } = await command.end()
    const told: Record<string, Content> = {}
    for (const { realPath, before, after, movedFrom } of files) {
      const { stamp, bytes } = movedFrom === undefined ? before : { stamp: null, bytes: undefined }
      const now = after === null ? null : after.bytes?.toString()
      told[relative(root, realPath)] = [stamp === null ? null : bytes?.toString(), now]
      if (movedFrom) told[relative(root, movedFrom.realPath)] = [movedFrom.before.bytes?.toString(), null]
    }
    return told
  }

  const contents: TreeBench['contents'] = async () => {
    const listing = { depth: Number.POSITIVE_INFINITY, maxFiles: 1e6, signal: new AbortController().signal }
    const { files = [] } = (await list(root, root, listing)) ?? {}
    const texts = files.map(async path => [relative(root, path), await readFile(path, 'utf8')] as const)
    return new Map(await Promise.all(texts))
  }

  return { root, trees, reasons, during, contents }
}
