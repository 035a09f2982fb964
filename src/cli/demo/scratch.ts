import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { files } from './script.js'

export interface Scratch {
  /** Absolute, without links. */
  project: string
  stateDir: string
  remove(): Promise<void>
}

/** The project of the demo in a folder for temporary files. */
export async function createScratch(): Promise<Scratch> {
  const scratch = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-demo-')))
  const project = join(scratch, 'project')
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, file)), { recursive: true })
    await writeFile(join(project, file), text)
  }
  return {
    project,
    stateDir: join(scratch, 'state'),
    remove: () => rm(scratch, { recursive: true, force: true, maxRetries: 3 }),
  }
}
