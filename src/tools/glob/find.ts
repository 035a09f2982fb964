import { HarnessError, hasErrorCode } from '../../cards/index.js'
import type { ToolAgent } from '../../registry/index.js'
import { type Files, type Glob, toDisplayPath, toGlobStart, type WalkSummary } from '../../workspace/index.js'

const MAX_PATHS = 1000
const MAX_OUTPUT_BYTES = 60 * 1024

export interface FindInput {
  files: Files
  agent: ToolAgent | undefined
  path: string | undefined
  glob: Glob
  signal: AbortSignal
}

/** Paths in path order, as they are shown. */
export interface Found {
  paths: string[]
  more: boolean
  /** Absent if the directory that the pattern begins with does not exist. */
  summary?: WalkSummary
}

/** Walks from the directory that the pattern begins with. Throws NOT_FOUND and NOT_A_FILE's kin for `path` itself only. */
export async function findPaths(input: FindInput): Promise<Found> {
  const { files, agent, path, glob, signal } = input
  // A name given in full is found whatever .gitignore says of it.
  const options = { filter: glob.filter, ignoreFiles: !glob.literal, signal }
  const found: Found = { paths: [], more: false }
  let room = MAX_OUTPUT_BYTES
  try {
    const walk = await files.walk(agent, toGlobStart(path, glob.base), options)
    found.summary = walk.summary
    for await (const entry of walk) {
      if (entry.relativePath === '') {
        if (glob.base !== '') break
        throw new HarnessError('INVALID_ARGS', `${path} is a file: path names the directory to look in.`)
      }
      const shown = toDisplayPath(entry.path, agent?.cwd) + (entry.kind === 'directory' ? '/' : '')
      room -= Buffer.byteLength(shown) + 1
      if (found.paths.length === MAX_PATHS || room < 0) {
        found.more = true
        break
      }
      found.paths.push(shown)
    }
  } catch (error) {
    if (glob.base === '' || !hasErrorCode(error, 'NOT_FOUND')) throw error
  }
  return found
}
