import type { BenchClient } from '../client.js'
import { type Stand, settle } from '../stand.js'
import { toPrompt } from '../steps.js'
import type { Work } from './work.js'

export const load50 = loadWork(50, 1, [{ figure: 'loadMs', ratio: 12 }])
/** Linear: forty times the calls of the other. */
export const load2000 = loadWork(200, 10, [])

/** As an editor does it that opens a thread again: nothing between the answer to initialize and the request. */
export const reopen: Work = {
  name: 'reopen',
  title: 'session/load of 50 shell calls in a new process, at once',
  against: 'floor',
  budgets: [],
  runs: 7,
  run: async (stand, name) => {
    const recording = await record(stand, name, 50, 1)
    return stand.withAgent(name, recording.root, async agent => {
      const loadMs = await load(agent, recording)
      return { loadMs, threadMs: agent.ageMs }
    })
  },
}

function loadWork(calls: number, turns: number, budgets: Work['budgets']): Work {
  const all = calls * turns
  return {
    name: `load-${all}`,
    title: `session/load of ${all.toLocaleString('en')} shell calls in a new process`,
    against: 'floor',
    budgets: [...budgets, { figure: 'loopMs', most: 50 }],
    run: async (stand, name) => {
      const recording = await record(stand, name, calls, turns)
      const loadMs = await stand.withAgent(name, recording.root, async agent => {
        await settle()
        return load(agent, recording)
      })
      const loopMs = await stand.longestLoopDelay(name, recording.root, async (agent, begin) => {
        await settle()
        begin()
        await load(agent, recording)
      })
      return { loadMs, callMs: loadMs / all, loopMs }
    },
  }
}

interface Recording {
  root: string
  sessionId: string
  calls: number
}

const recorded = new Map<string, Recording>()

/** From the request to its answer. */
async function load(agent: BenchClient, { root, sessionId, calls }: Recording): Promise<number> {
  let seen = 0
  const watch = agent.watch(({ update }) => {
    if (update.sessionUpdate === 'tool_call') seen++
  })
  const startedAt = performance.now()
  await agent.request('session/load', { sessionId, cwd: root, mcpServers: [] })
  const ms = performance.now() - startedAt
  watch.done()
  if (seen !== calls) throw new Error(`${seen} of ${calls} calls were replayed`)
  return ms
}

/** A session with these calls, made once for each contestant. */
async function record(stand: Stand, name: string, calls: number, turns: number): Promise<Recording> {
  const key = `${name} ${calls} ${turns}`
  const known = recorded.get(key)
  if (known) return known
  const root = stand.scratch.project()
  const made = await stand.withAgent(name, root, async agent => {
    const sessionId = await agent.newSession(root)
    const script = { name: 'shell', root, count: calls } as const
    for (let turn = 0; turn < turns; turn++) await agent.prompt(sessionId, toPrompt(script))
    return { root, sessionId, calls: calls * turns }
  })
  recorded.set(key, made)
  return made
}
