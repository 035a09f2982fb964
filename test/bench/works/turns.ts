import type { Turn } from '../client.js'
import { watchMemory } from '../machine.js'
import { checkEdits } from '../project.js'
import { type Stand, settle } from '../stand.js'
import { type ScriptName, toPrompt } from '../steps.js'
import type { Sample, Work } from './work.js'

const SHELL_CALLS = 50
const EDITS = 50
const OUTPUT_MIB = 20

export const shell: Work = {
  name: 'shell',
  title: `A turn of ${SHELL_CALLS} shell calls`,
  against: 'floor-llm',
  budgets: [
    { figure: 'callMs', ratio: 1.8 },
    { figure: 'loopMs', most: 50 },
  ],
  run: (stand, name) => runTurn(stand, name, 'shell', SHELL_CALLS),
}

export const edits: Work = {
  name: 'edits',
  title: `A turn of one read, ${EDITS} edits in a file of 5,000 lines and ${EDITS / 5} writes`,
  against: 'floor-llm',
  budgets: [
    { figure: 'callMs', ratio: 2.5 },
    { figure: 'loopMs', most: 50 },
  ],
  run: (stand, name) => runTurn(stand, name, 'edits', EDITS, root => checkEdits(root, EDITS)),
}

export const output: Work = {
  name: 'output',
  title: `One command that prints ${OUTPUT_MIB} MiB`,
  against: 'floor-llm',
  budgets: [
    { figure: 'turnMs', ratio: 2 },
    { figure: 'peakMiB', most: 130 },
    { figure: 'wireMB', most: 1.3 },
    { figure: 'loopMs', most: 50 },
  ],
  run: (stand, name) => runTurn(stand, name, 'output', OUTPUT_MIB),
}

const CALLS: Partial<Record<ScriptName, number>> = { shell: SHELL_CALLS, edits: 1 + EDITS + EDITS / 5, output: 1 }

async function runTurn(
  stand: Stand,
  name: string,
  script: ScriptName,
  count: number,
  check?: (root: string) => void,
): Promise<Sample> {
  const root = stand.scratch.project()
  const sample = await stand.withAgent(name, root, async agent => {
    const sessionId = await agent.newSession(root)
    await settle()
    const memory = watchMemory(agent.pid)
    const cpuBefore = agent.cpuMs()
    const turn = await agent.prompt(sessionId, toPrompt({ name: script, root, count }))
    const cpuMs = agent.cpuMs() - cpuBefore
    const peakMiB = memory.stop()
    expectDone(turn, CALLS[script] ?? 0)
    return {
      turnMs: turn.ms,
      callMs: turn.ms / turn.calls,
      cpuMs,
      peakMiB,
      wireMB: turn.bytes / 1e6,
      frames: turn.frames,
    }
  })
  check?.(root)
  return { ...sample, loopMs: await loopDelay(stand, name, script, count) }
}

/** Apart from the timed turn: what watches the loop also costs. */
async function loopDelay(stand: Stand, name: string, script: ScriptName, count: number): Promise<number> {
  const root = stand.scratch.project()
  return stand.longestLoopDelay(name, root, async (agent, begin) => {
    const sessionId = await agent.newSession(root)
    await settle()
    begin()
    await agent.prompt(sessionId, toPrompt({ name: script, root, count }))
  })
}

function expectDone({ calls, failed, stopReason }: Turn, expected: number): void {
  if (calls === expected && failed === 0 && stopReason === 'end_turn') return
  throw new Error(`the turn made ${calls} of ${expected} calls, ${failed} of them failed, and ended with ${stopReason}`)
}
