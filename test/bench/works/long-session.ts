import { settle } from '../stand.js'
import { toPrompt } from '../steps.js'
import type { Work } from './work.js'

const TURNS = 2000
const WARM = 400

/** What stays after many turns: the words of the conversation, and nothing else. */
export const longSession: Work = {
  name: 'turns',
  title: `Memory over ${TURNS.toLocaleString('en')} turns of one session`,
  against: 'floor-llm',
  budgets: [],
  runs: 1,
  run: async (stand, name) => {
    const root = stand.scratch.project()
    return stand.withAgent(name, root, async agent => {
      const sessionId = await agent.newSession(root)
      const text = toPrompt({ name: 'say', root, count: 1 })
      const run = async (turns: number) => {
        for (let turn = 0; turn < turns; turn++) await agent.prompt(sessionId, text)
        await settle(1000)
        return agent.memory().rssMiB
      }
      const warmMiB = await run(WARM)
      const middleMiB = await run((TURNS - WARM) / 2)
      const endMiB = await run((TURNS - WARM) / 2)
      return { warmMiB, middleMiB, endMiB, perTurnKiB: ((endMiB - middleMiB) * 1024) / ((TURNS - WARM) / 2) }
    })
  },
}
