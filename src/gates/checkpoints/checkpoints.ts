import { isAbsolute } from 'node:path'
import type { Context } from 'cordis'
import { HarnessError } from '../../cards/index.js'
import { CheckpointStore } from './checkpoint-store.js'
import { createUndoTool } from './undo.js'

declare module 'cordis' {
  interface Context {
    /** What files were before each turn; absent where none are kept. */
    checkpoints: Pick<CheckpointStore, 'release' | 'forget'>
  }
}

export const name = 'checkpoints'
export const inject = ['tools', 'files']

export interface CheckpointsConfig {
  /** Absolute; made when it is needed, for its owner only. */
  directory: string
  /** All kept contents together; the oldest go first. 0 keeps none, and there is no undo. Default 256 MiB. */
  maxBytes?: number
  /** Of a larger file nothing is kept. Default 10 MiB. */
  maxFileBytes?: number
}

const DEFAULT_MAX_BYTES = 256 * 1024 * 1024
const DEFAULT_MAX_FILE_BYTES = 10 * 1024 * 1024
/** An editor's first prompt comes before it. */
const PRUNE_DELAY_MS = 5000

/** Keeps each file as it was before a turn first changed it, and registers the tool that puts them back. */
export function apply(ctx: Context, config: CheckpointsConfig): void {
  const { directory, maxBytes = DEFAULT_MAX_BYTES, maxFileBytes = DEFAULT_MAX_FILE_BYTES } = config
  if (!isAbsolute(directory)) {
    throw new HarnessError('STATE_DIR_FAILED', `The directory of checkpoints must be absolute, not ${directory}.`)
  }
  if (maxBytes === 0) return
  const warn = (problem: string) => ctx.logger(name).warn('%s', problem)
  const store = new CheckpointStore({ directory, maxBytes, maxFileBytes: Math.min(maxFileBytes, maxBytes), warn })
  ctx.provide('checkpoints', store)
  ctx.effect(() => {
    const timer = setTimeout(() => void store.prune(), PRUNE_DELAY_MS).unref()
    return async () => {
      clearTimeout(timer)
      await store.settled()
    }
  }, 'checkpoints')
  ctx.on('files/before-write', write => store.keep(write))
  ctx.on('files/after-write', write => store.noteResult(write))
  ctx.on('files/command-change', change => store.noteCommand(change))
  ctx.tools.register(createUndoTool(ctx.files, store))
}
