import { toDisplayPath } from '../../workspace/index.js'
import { renderFile } from './render.js'
import type { FileHits } from './search.js'

const MAX_OUTPUT_BYTES = 60 * 1024
const MAX_LOCATIONS = 50

export interface CollectOptions {
  maxResults: number
  context: number
  cwd: string | undefined
}

/** The hits as they are shown, and what is known of those that are not. */
export interface Collected {
  rows: string[]
  hitCount: number
  fileCount: number
  /** Hits seen but not shown: there are at least as many. */
  moreHits: number
  full?: 'results' | 'output'
  /** First hit of each of the first files. */
  locations: { path: string; line: number }[]
}

/** Takes hits until the result is full, and one file more to know whether there are others. */
export async function collectHits(found: AsyncIterable<FileHits>, options: CollectOptions): Promise<Collected> {
  const collected: Collected = { rows: [], hitCount: 0, fileCount: 0, moreHits: 0, locations: [] }
  let room = MAX_OUTPUT_BYTES
  for await (const file of found) {
    const left = options.maxResults - collected.hitCount
    const { rows, hitCount } =
      left > 0
        ? renderFile(
            toDisplayPath(file.entry.path, options.cwd),
            file.text,
            file.hits.slice(0, left),
            options.context,
            room,
          )
        : { rows: [], hitCount: 0 }
    if (hitCount > 0) {
      if (options.context > 0 && collected.rows.length > 0) collected.rows.push('--')
      collected.rows.push(...rows)
      room -= rows.reduce((sum, row) => sum + Buffer.byteLength(row) + 1, 0)
      collected.hitCount += hitCount
      collected.fileCount += 1
      if (collected.locations.length < MAX_LOCATIONS) {
        collected.locations.push({ path: file.entry.path, line: file.hits[0]!.line })
      }
    }
    collected.moreHits = file.hitCount - hitCount
    if (collected.moreHits === 0) continue
    collected.full = collected.hitCount >= options.maxResults ? 'results' : 'output'
    break
  }
  return collected
}
