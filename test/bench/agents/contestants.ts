import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Started } from '../client.js'
import type { Scratch } from '../project.js'

export const CONTESTANTS = ['ours', 'packages', 'floor', 'floor-llm'] as const
type ContestantName = (typeof CONTESTANTS)[number]

/** The scripted model in a process of its own: it must not share the loop of what measures. */
export interface RunningModel {
  url: string
  stop(): void
}

/** How an agent is started, and a folder in which it keeps its sessions from one process to the next. */
export type Start = (loopFile?: string) => Started

export async function startModel(): Promise<RunningModel> {
  const child: ChildProcess = spawn(process.execPath, [built('scripted-model.js')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const port = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', chunk => {
      text += chunk
      const found = /PORT (\d+)/.exec(text)?.[1]
      if (found) resolve(found)
    })
    child.once('exit', () => reject(new Error('the scripted model did not start')))
  })
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() }
}

/** Starts of one contestant that share a home: what one process has recorded the next can load. */
export function prepare(name: ContestantName, model: RunningModel, scratch: Scratch, cli: string): Start {
  const home = scratch.folder(name)
  return loopFile => {
    const watch = loopFile === undefined ? [] : ['--import', toUrl(built('loop-watch.js'))]
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: home,
      ...(loopFile === undefined ? {} : { BENCH_LOOP_FILE: loopFile }),
    }
    if (name === 'ours') {
      return {
        command: process.execPath,
        args: [...watch, cli, 'acp'],
        env: {
          ...env,
          OPENAI_BASE_URL: `${model.url}/v1`,
          OPENAI_API_KEY: 'scripted',
          OPENAI_MODEL: 'scripted',
        },
      }
    }
    return {
      command: process.execPath,
      args: [...watch, built(name === 'packages' ? 'packages-agent.js' : 'floor-agent.js')],
      env: { ...env, BENCH_STORE: join(home, 'store'), ...(name === 'floor' ? {} : { BENCH_MODEL: model.url }) },
    }
  }
}

/** A file beside the built benchmark. */
function built(file: string): string {
  return join(import.meta.dirname, file)
}

function toUrl(path: string): string {
  return new URL(`file://${path}`).href
}
