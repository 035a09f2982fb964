import { watchMemory } from '../machine.js'
import { toPrompt } from '../steps.js'
import type { Work } from './work.js'

const SESSIONS = 16
const CALLS = 10

export const manySessions: Work = {
  name: 'sessions',
  title: `${SESSIONS} sessions in one process, ${CALLS} shell calls each, all turns at once`,
  against: 'floor-llm',
  budgets: [{ figure: 'allMs', ratio: 3 }],
  run: async (stand, name) => {
    const root = stand.scratch.project()
    return stand.withAgent(name, root, async agent => {
      const ids: string[] = []
      for (let n = 0; n < SESSIONS; n++) ids.push(await agent.newSession(root))
      const memory = watchMemory(agent.pid)
      const startedAt = performance.now()
      const text = toPrompt({ name: 'shell', root, count: CALLS })
      const turns = await Promise.all(ids.map(id => agent.prompt(id, text)))
      const allMs = performance.now() - startedAt
      const calls = turns.reduce((sum, turn) => sum + turn.calls, 0)
      if (calls !== SESSIONS * CALLS) throw new Error(`${calls} of ${SESSIONS * CALLS} calls were made`)
      return { allMs, callMs: allMs / calls, peakMiB: memory.stop() }
    })
  },
}
