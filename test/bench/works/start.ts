import { settle } from '../stand.js'
import type { Work } from './work.js'

export const start: Work = {
  name: 'start',
  title: 'From the spawn to the answer to initialize',
  against: 'floor',
  budgets: [{ figure: 'initMs', ratio: 2 }],
  runs: 15,
  run: (stand, name) =>
    stand.withAgent(name, stand.scratch.dir, async agent => ({ initMs: agent.initMs, cpuMs: agent.cpuMs() })),
}

export const idle: Work = {
  name: 'idle',
  title: 'Memory two seconds after session/new',
  against: 'floor',
  budgets: [{ figure: 'rssMiB', ratio: 2.2 }],
  run: async (stand, name) => {
    const root = stand.scratch.project()
    return stand.withAgent(name, root, async agent => {
      const startedAt = performance.now()
      await agent.newSession(root)
      const newMs = performance.now() - startedAt
      await settle(2000)
      const { rssMiB, anonymousMiB } = agent.memory()
      return { rssMiB, anonymousMiB, newMs }
    })
  },
}
