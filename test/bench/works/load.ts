import { type Stand, settle } from '../stand.js'
import { toPrompt } from '../steps.js'
import type { Work } from './work.js'

export const load50 = loadWork(50, 1, [{ figure: 'loadMs', ratio: 12 }])
/** Linear: forty times the calls of the other. */
export const load2000 = loadWork(200, 10, [])

function loadWork(calls: number, turns: number, budgets: Work['budgets']): Work {
  const all = calls * turns
  return {
    name: `load-${all}`,
    title: `session/load of ${all.toLocaleString('en')} shell calls in a new process`,
    against: 'floor',
    budgets: [...budgets, { figure: 'loopMs', most: 50 }],
    run: async (stand, name) => {
      const { root, sessionId } = await record(stand, name, calls, turns)
      const loadMs = await stand.withAgent(name, root, async agent => {
        await settle()
        let seen = 0
        const watch = agent.watch(({ update }) => {
          if (update.sessionUpdate === 'tool_call') seen++
        })
        const startedAt = performance.now()
        await agent.request('session/load', { sessionId, cwd: root, mcpServers: [] })
        const ms = performance.now() - startedAt
        watch.done()
        if (seen !== all) throw new Error(`${seen} of ${all} calls were replayed`)
        return ms
      })
      const loopMs = await stand.longestLoopDelay(name, root, async (agent, begin) => {
        await settle()
        begin()
        await agent.request('session/load', { sessionId, cwd: root, mcpServers: [] })
      })
      return { loadMs, callMs: loadMs / all, loopMs }
    },
  }
}

const recorded = new Map<string, { root: string; sessionId: string }>()

/** A session with these calls, made once for each contestant. */
async function record(stand: Stand, name: string, calls: number, turns: number) {
  const key = `${name} ${calls} ${turns}`
  const known = recorded.get(key)
  if (known) return known
  const root = stand.scratch.project()
  const made = await stand.withAgent(name, root, async agent => {
    const sessionId = await agent.newSession(root)
    const script = { name: 'shell', root, count: calls } as const
    for (let turn = 0; turn < turns; turn++) await agent.prompt(sessionId, toPrompt(script))
    return { root, sessionId }
  })
  recorded.set(key, made)
  return made
}
