import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Context } from 'cordis'
import { ToolRegistry } from '../../../src/registry/index.js'
import * as glob from '../../../src/tools/glob/index.js'
import * as grep from '../../../src/tools/grep/index.js'
import { Files, launcherPlugin } from '../../../src/workspace/index.js'
import { median } from '../report.js'
import type { Sample } from '../works/work.js'
import type { InsideWork } from './inside-work.js'

const FOLDERS = 1000
const FILES_OF_FOLDER = 100
const RUNS = 3

/** Searches of 100,000 files that find nothing, so that they see all of them; with files of 2 KB on average. */
export const search: InsideWork = {
  name: 'search',
  title: 'Searches of 100,000 files',
  budgets: [
    { figure: 'globLoopMs', most: 50 },
    { figure: 'grepLoopMs', most: 50 },
    { figure: 'grepAloneLoopMs', most: 50 },
  ],
  async run() {
    const root = makeTree()
    try {
      const globbed = await measure('glob', root, { pattern: '**/*.none' })
      const narrowed = await measure('grep', root, { pattern: 'rarely_used' })
      const alone = await measure('grep', root, { pattern: 'rarely_used' }, null)
      const unknown = await measure('grep', root, { pattern: '[A-Z]{3}\\d' }, null)
      return {
        ...named('glob', globbed),
        ...named('grep', narrowed),
        ...named('grepAlone', alone),
        ...named('grepNoText', unknown),
      }
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  },
}

function makeTree(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-bench-search-')))
  writeFileSync(join(root, '.gitignore'), '*.log\nnode_modules/\n/dist\n')
  const line = 'export const value = await readConfig(path, { index, length: 12 })\n'
  for (let folder = 0; folder < FOLDERS; folder++) {
    const path = join(root, `package${folder % 50}`, 'src', `part${folder}`)
    mkdirSync(path, { recursive: true })
    for (let file = 0; file < FILES_OF_FOLDER; file++) {
      writeFileSync(join(path, `file${file}.ts`), line.repeat(1 + ((folder * 31 + file * 17) % 60)))
    }
  }
  return root
}

interface Figures {
  ms: number
  loopMs: number
}

/** The median time, and the longest delay of the event loop. `ripgrep`: null for none. */
async function measure(tool: string, root: string, args: object, ripgrep?: null): Promise<Figures> {
  const ctx = new Context()
  await ctx.plugin(ToolRegistry)
  await ctx.plugin(Files)
  await ctx.plugin(launcherPlugin)
  await ctx.plugin(glob)
  await ctx.plugin({ ...grep, apply: inner => grep.apply(inner, ripgrep === null ? { ripgrep } : {}) })
  const taken: number[] = []
  const delays: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const startedAt = performance.now()
    const agent = { sessionId: 'bench', cwd: root, roots: [root], origin: 'model' as const }
    const { isError } = await ctx.tools.execute({ callId: `call-${run}`, name: tool, arguments: args, agent })
    taken.push(performance.now() - startedAt)
    delay.disable()
    delays.push(delay.max / 1e6)
    if (isError) throw new Error(`${tool} failed`)
  }
  await ctx.fiber.dispose()
  return { ms: median(taken), loopMs: median(delays) }
}

function named(name: string, { ms, loopMs }: Figures): Sample {
  return { [`${name}Ms`]: ms, [`${name}LoopMs`]: loopMs }
}
