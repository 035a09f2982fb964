import type { Context } from 'cordis'
import type { ToolAgent, ToolEffects, ToolExecutionResult } from '../../registry/index.js'
import type { CommandChange, CommandWrite } from '../../workspace/index.js'
import { type ChangedFile, toFileChanges } from './changes.js'
import { CommandWatch } from './command-watch.js'
import { Copies } from './copies.js'
import { EventBurst } from './event-burst.js'
import { createListing } from './tree-listing.js'
import { Trees } from './trees.js'
import { withChanges } from './with-changes.js'

export const name = 'file-change'
export const inject = ['tools', 'files']

export interface FileChangeConfig {
  /** Default true. */
  enabled?: boolean
  /** Watch folders where the system tells of every change. Default true. */
  watch?: boolean
  /** A tree with more files is not followed. Default 100,000. */
  maxWatchedFiles?: number
  /** One that cannot be watched is not followed with more files than this. Default 20,000. */
  maxFiles?: number
  /** Nor if the looks at all of it before and after a command take longer. Default 50. */
  maxLooksMs?: number
  /** Larger files are named and not shown. Default 256 KiB. */
  maxFileBytes?: number
  /** So many changed files are shown; the others are named or counted. Default 20. */
  maxShown?: number
  /** Copies of small text files that are kept in memory, for all trees together. Default 32 MiB. */
  maxCopyBytes?: number
  /** Absolute paths that are never looked at: the agent's state directory. */
  leaveOut?: readonly string[]
}

/** Text of all hunks of one call. */
const MAX_HUNK_BYTES = 512 * 1024

/** Tells after each call that may run a command which files of the workspace it changed. */
export function apply(ctx: Context, config: FileChangeConfig = {}): void {
  if (config.enabled === false) return
  const { maxFileBytes = 256 * 1024, maxShown = 20, leaveOut = [] } = config
  const { forSession } = ctx.tools
  const trees = new Trees({
    list: createListing(ctx.files, leaveOut),
    copies: new Copies(config.maxCopyBytes ?? 32 * 1024 * 1024),
    maxWatches: config.watch === false ? 0 : undefined,
    burst: new EventBurst(),
    maxWatchedFiles: config.maxWatchedFiles ?? 100_000,
    maxFiles: config.maxFiles ?? 20_000,
    maxLooksMs: config.maxLooksMs ?? 50,
    maxFileBytes,
    onGiveUp: (root, reason) => ctx.logger(name).info('what commands change is not shown in %s: %s', root, reason),
  })
  ctx.effect(() => () => trees.close(), 'trees')

  ctx.on('session/idle', roots => {
    for (const { watch } of trees.of(roots)) watch.lookAhead()
  })
  ctx.on('tools/execute', async (exec, next) => {
    const { agent } = exec
    if (agent === undefined) return next()
    const roots = trees.of(agent.roots)
    if (!mayRunCommands(forSession(agent.sessionId).effects(exec.name, exec.arguments))) {
      for (const { watch } of roots) watch.warm()
      return next()
    }
    const command = await CommandWatch.begin(roots)
    let result: ToolExecutionResult
    try {
      result = await next()
    } catch (error) {
      await command.end()
      throw error
    }
    const { files, overlapped } = await command.end()
    for (const { watch } of roots) watch.settle()
    if (files.length === 0) return result
    if (!overlapped) await ctx.parallel('files/command-change', toCommandChange(agent, files))
    const shown = await toFileChanges(files.slice(0, maxShown), MAX_HUNK_BYTES)
    return withChanges(result, { files, shown, overlapped }, agent.cwd)
  })

  ctx.on('files/after-write', ({ realPath, bytes }) => {
    for (const index of trees.holding(realPath)) index.written(realPath, bytes)
  })
}

// What declares no effects may do anything.
function mayRunCommands(effects: ToolEffects | undefined): boolean {
  return effects === undefined || effects.runs !== undefined
}

function toCommandChange(agent: ToolAgent, files: readonly ChangedFile[]): CommandChange {
  const writes = files.map(toCommandWrites)
  return { agent, files: writes.flat(), unkept: writes.filter(each => each.length === 0).length }
}

/** Only where the earlier content is known. A moved file is one that went and one that came. */
function toCommandWrites({ realPath, path, movedFrom, before, after }: ChangedFile): CommandWrite[] {
  const bytes = after === null ? null : after.bytes
  if (bytes === undefined) return []
  if (movedFrom !== undefined) return [...toCommandWrites(movedFrom), { realPath, path, before: null, bytes }]
  const old = before.stamp === null ? null : before.bytes && { bytes: before.bytes, mode: before.stamp.mode }
  return old === undefined ? [] : [{ realPath, path, before: old, bytes }]
}
