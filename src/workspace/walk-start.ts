import { realpath } from 'node:fs/promises'
import { join, parse, relative, resolve } from 'node:path'
import { isInside, type ResolvedPath, type WorkspaceAgent } from './resolve-path.js'

/** Where a walk starts, and the real roots it stays in. */
export interface WalkStart {
  start: string
  roots: string[]
}

/** The start in the spelling of the session's cwd, whichever spelling the caller used (B42). Without an agent there is nothing to leave. */
export async function toWalkStart(agent: WorkspaceAgent | undefined, target: ResolvedPath): Promise<WalkStart> {
  if (agent === undefined) return { start: target.path, roots: [parse(target.realPath).root] }
  const roots = await Promise.all(agent.roots.map(realOrAsIs))
  const realCwd = await realOrAsIs(agent.cwd)
  const respell = !isInside(agent.cwd, target.path) && isInside(realCwd, target.realPath)
  return { start: respell ? join(agent.cwd, relative(realCwd, target.realPath)) : target.path, roots }
}

/** Where a path leads; the path itself if that cannot be found out. */
export function realOrAsIs(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path))
}
