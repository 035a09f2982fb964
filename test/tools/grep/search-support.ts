import type { Context } from 'cordis'
import type { ActiveExecution } from '../../../src/registry/index.js'
import { findRipgrep } from '../../../src/tools/grep/find-ripgrep.js'
import type { GrepConfig } from '../../../src/tools/grep/grep.js'
import * as grep from '../../../src/tools/grep/index.js'
import { launcherPlugin } from '../../../src/workspace/index.js'
import { openWorkbench } from '../../support/workbench.js'

/** The package is optional, and not made for every platform. */
export const hasRipgrep = findRipgrep() !== undefined

/** Narrows from the first file on. */
const SOON = { first: 0, least: 1, most: 40, mostPathBytes: 4096, maxFileBytes: 64 * 1024 }

/** A workbench with `grep` and a launcher, and the commands that calls have launched, with how they ended. */
export async function openSearch(config: GrepConfig) {
  const commands: string[][] = []
  const ends: Promise<unknown>[] = []
  const watch = {
    name: 'watch',
    apply(ctx: Context) {
      ctx.on('tools/execute', (exec: ActiveExecution, next: () => never) => {
        const { launch } = exec
        exec.launch = async (command, options) => {
          commands.push([...command])
          const started = await launch(command, options)
          ends.push(started.exited)
          return started
        }
        return next()
      })
    },
  }
  const bench = await openWorkbench(launcherPlugin, watch, {
    ...grep,
    apply: ctx => grep.apply(ctx, { narrowing: SOON, ...config }),
  })
  return { ...bench, commands, ends: () => Promise.all(ends) }
}
