import { Files } from '../workspace/index.js'
import { currentTrace, type TouchedPath, type Trace } from './trace.js'

type Agent = Parameters<Files['read']>[0]

/** `ctx.files` that notes in the trace of the running call what is read and written. */
export class ObservedFiles extends Files {
  override async read(...args: Parameters<Files['read']>): ReturnType<Files['read']> {
    await this.note('reads', args[0], args[1])
    return done(super.read(...args))
  }

  override async readLines(...args: Parameters<Files['readLines']>): ReturnType<Files['readLines']> {
    await this.note('reads', args[0], args[1])
    return done(super.readLines(...args))
  }

  override async walk(...args: Parameters<Files['walk']>): ReturnType<Files['walk']> {
    await this.note('reads', args[0], args[1])
    return done(super.walk(...args))
  }

  override async write(...args: Parameters<Files['write']>): ReturnType<Files['write']> {
    await this.note('writes', args[0], args[1])
    return done(super.write(...args))
  }

  override async remove(...args: Parameters<Files['remove']>): ReturnType<Files['remove']> {
    await this.note('writes', args[0], args[1])
    return done(super.remove(...args))
  }

  private async note(list: 'reads' | 'writes', agent: Agent, spoken: string): Promise<void> {
    const trace: Trace | undefined = currentTrace()
    if (trace === undefined) return
    const target: TouchedPath | undefined = await this.resolve(agent, spoken).catch(() => undefined)
    if (target !== undefined) trace[list].push({ spoken, realPath: target.realPath })
  }
}

async function done<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } finally {
    currentTrace()?.step()
  }
}
