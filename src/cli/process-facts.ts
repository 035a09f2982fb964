import { homedir } from 'node:os'
import { stateDirectory } from '../bridge/connect/index.js'

/** What the commands take from the process at once, without reading a file: here and nowhere else. */
export interface ProcessFacts {
  cwd: string
  env: NodeJS.ProcessEnv
  platform: NodeJS.Platform
  /** The user's home directory, absolute. */
  home: string
  /** Absolute. */
  stateDir: string
}

/** Throws STATE_DIR_FAILED if the environment names a state directory that is none. */
export function processFacts(): ProcessFacts {
  const { env, platform } = process
  const home = homedir()
  return { cwd: process.cwd(), env, platform, home, stateDir: stateDirectory(env, platform, home) }
}
