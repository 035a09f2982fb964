import { homedir } from 'node:os'
import { stateDirectory } from '../bridge/index.js'

/** What the commands take from the process: read here and nowhere else. */
export interface Environment {
  cwd: string
  env: NodeJS.ProcessEnv
  stateDir: string
}

export function readEnvironment(): Environment {
  return {
    cwd: process.cwd(),
    env: process.env,
    stateDir: stateDirectory(process.env, process.platform, homedir()),
  }
}
