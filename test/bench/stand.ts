import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTESTANTS, prepare, type RunningModel, type Start } from './agents/contestants.js'
import { BenchClient } from './client.js'
import { Scratch } from './project.js'

/** Where the contestants meet: one model, one scratch folder, one home for each of them. */
export class Stand {
  readonly scratch = new Scratch()
  readonly #starts = new Map<string, Start>()

  constructor(
    private readonly model: RunningModel,
    /** The built binary. */
    cli: string,
  ) {
    for (const name of CONTESTANTS) this.add(name, prepare(name, model, this.scratch, cli))
  }

  get modelUrl(): string {
    return this.model.url
  }

  /** One more contestant. */
  add(name: string, start: Start): void {
    this.#starts.set(name, start)
  }

  /** Starts an agent, hands it to `use`, and ends it. */
  async withAgent<T>(name: string, root: string, use: (agent: BenchClient) => Promise<T>): Promise<T> {
    return this.#use(name, root, undefined, use)
  }

  /** The longest delay of the agent's event loop since `use` told `begin`; not a number for a peer, which cannot be looked into. */
  async longestLoopDelay(
    name: string,
    root: string,
    use: (agent: BenchClient, begin: () => void) => Promise<unknown>,
  ): Promise<number> {
    if (!CONTESTANTS.some(own => own === name)) return Number.NaN
    const file = join(this.scratch.folder('loop'), 'delay.json')
    await this.#use(name, root, file, agent => use(agent, () => process.kill(agent.pid, 'SIGUSR2')))
    return (JSON.parse(readFileSync(file, 'utf8')) as { longestMs: number }).longestMs
  }

  remove(): void {
    this.model.stop()
    this.scratch.remove()
  }

  async #use<T>(
    name: string,
    root: string,
    loopFile: string | undefined,
    use: (agent: BenchClient) => Promise<T>,
  ): Promise<T> {
    const start = this.#starts.get(name)
    if (!start) throw new Error(`no contestant is named ${name}`)
    const agent = new BenchClient(start(loopFile), root)
    try {
      await agent.initialize()
      return await use(agent)
    } finally {
      await agent.close()
    }
  }
}

/** Until what an agent does after its start has settled. */
export function settle(ms = 300): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
