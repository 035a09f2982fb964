import { basename, relative } from 'node:path'
import { type JsonValue, oneLine } from '../../cards/index.js'
import { describeObstacles, findObstacles, type Obstacle } from './evidence.js'
import type { HeldProcess } from './held-launch.js'

/** What the sandbox has to say of a call; `meta` goes into the result under `sandbox`. */
export interface SandboxReport {
  readonly notes: readonly string[]
  readonly meta: JsonValue
  /** The command may have failed by the sandbox. */
  readonly isSuspect: boolean
}

export interface ReportSources {
  readonly processes: readonly HeldProcess[]
  readonly isError: boolean
  readonly isNetworkOpen: boolean
  /** What the reader can do about a failure. */
  readonly advice: string | undefined
  /** Paths that steer later sessions and were made meanwhile; absolute. */
  readonly made: readonly string[]
  readonly cwd: string | undefined
}

const SETUP_FAILED = /^bwrap: .*$/m
const MAX_WORDS = 300
const MAX_NAMED = 5

/** Undefined if there is nothing to say. */
export function toReport(sources: ReportSources): SandboxReport | undefined {
  const { processes, made, isError, advice } = sources
  const failed = isError ? processes.filter(({ exit }) => exit?.exitCode !== undefined && exit.exitCode !== 0) : []
  const outputs = failed.map(({ tail }) => tail.read().toString('utf8'))
  const setUp = outputs.map(output => output.match(SETUP_FAILED)?.[0]).find(line => line !== undefined)
  const obstacles = [...new Set(outputs.flatMap(output => findObstacles(output, sources.isNetworkOpen)))]
  const notes = [
    ...(setUp === undefined
      ? toObstacleNote(obstacles)
      : [`the sandbox may not have started: ${oneLine(setUp, MAX_WORDS)}`]),
    ...toMadeNote(made, sources.cwd),
  ]
  if (notes.length === 0) return undefined
  const isSuspect = setUp !== undefined || obstacles.length > 0
  return {
    notes: [...notes, ...(isSuspect && advice !== undefined ? [advice] : [])].map(note => `[sandbox: ${note}]`),
    meta: { ...(obstacles.length > 0 && { obstacles }), ...(made.length > 0 && { made: [...made] }) },
    isSuspect,
  }
}

function toObstacleNote(obstacles: readonly Obstacle[]): string[] {
  return obstacles.length === 0
    ? []
    : [`this may have failed because commands run in a sandbox: ${describeObstacles(obstacles)}`]
}

function toMadeNote(made: readonly string[], cwd: string | undefined): string[] {
  if (made.length === 0) return []
  const names = made.slice(0, MAX_NAMED).map(path => (cwd === undefined ? basename(path) : relative(cwd, path)))
  const more = made.length > MAX_NAMED ? ` and ${made.length - MAX_NAMED} more` : ''
  return [
    `meanwhile ${names.join(', ')}${more} came to be there, which can make programs run later, or steer later sessions`,
  ]
}
