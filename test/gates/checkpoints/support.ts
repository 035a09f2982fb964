import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from 'cordis'
import { onTestFinished } from 'vitest'
import * as checkpoints from '../../../src/gates/checkpoints/index.js'
import * as fileChange from '../../../src/gates/file-change/index.js'
import * as bash from '../../../src/tools/bash/index.js'
import * as edit from '../../../src/tools/edit/index.js'
import * as read from '../../../src/tools/read/index.js'
import * as write from '../../../src/tools/write/index.js'
import { launcherPlugin } from '../../../src/workspace/index.js'
import { openWorkbench, type Workbench } from '../../support/workbench.js'

export type Outcome = Awaited<ReturnType<Workbench['call']>>

export interface UndoBench extends Workbench {
  /** Where checkpoints are kept; outside the workspace. */
  state: string
  /** Begins a turn: what is called by `act` from now on belongs to it. */
  turn(): void
  act(name: string, args: unknown): Promise<Outcome>
  /** A turn of its own. */
  undo(): Promise<Outcome>
}

/** Checkpoints over a workbench with the file tools and the shell. */
export async function openUndoBench(
  config: Partial<checkpoints.CheckpointsConfig> = {},
  sharedState?: string,
): Promise<UndoBench> {
  const state = sharedState ?? (await realpath(await mkdtemp(join(tmpdir(), 'deckhand-state-'))))
  onTestFinished(() => rm(state, { recursive: true, force: true }))
  const { name, inject } = checkpoints
  const directory = join(state, 'checkpoints')
  const gate = { name, inject, apply: (ctx: Context) => checkpoints.apply(ctx, { directory, ...config }) }
  const bench = await openWorkbench(launcherPlugin, gate, fileChange, bash, read, write, edit)
  let turns = 0
  const turn = () => {
    turns += 1
  }
  const act = (tool: string, args: unknown) =>
    bench.call(tool, args, { agent: { ...bench.agent, turnId: `turn-${turns}` } })
  return {
    ...bench,
    state,
    turn,
    act,
    undo: () => {
      turn()
      return act('undo', {})
    },
  }
}
