import { readdirSync, readFileSync } from 'node:fs'
import { settle } from '../stand.js'
import { toPrompt } from '../steps.js'
import type { Work } from './work.js'

export const firstLine: Work = {
  name: 'first-line',
  title: 'The first line of a running command is shown',
  against: 'floor-llm',
  budgets: [{ figure: 'firstLineMs', most: 50 }],
  run: async (stand, name) => {
    const root = stand.scratch.project()
    return stand.withAgent(name, root, async agent => {
      const sessionId = await agent.newSession(root)
      await settle()
      let startedAt = Number.NaN
      let firstLineMs = Number.NaN
      await agent.prompt(sessionId, toPrompt({ name: 'lines', root, count: 3 }), update => {
        if (update.sessionUpdate === 'tool_call' && Number.isNaN(startedAt)) startedAt = performance.now()
        if (Number.isNaN(firstLineMs) && JSON.stringify(update).includes('tick101')) {
          firstLineMs = performance.now() - startedAt
        }
      })
      return { firstLineMs }
    })
  },
}

export const cancel: Work = {
  name: 'cancel',
  title: 'session/cancel during a command: answered, and the command gone',
  against: 'floor-llm',
  budgets: [{ figure: 'answerMs', most: 20 }],
  runs: 5,
  run: async (stand, name) => {
    const root = stand.scratch.project()
    return stand.withAgent(name, root, async agent => {
      const sessionId = await agent.newSession(root)
      await settle()
      const turn = agent.prompt(sessionId, toPrompt({ name: 'sleep', root, count: 1 }))
      while (!isSleeping()) await settle(10)
      await settle(100)
      const startedAt = performance.now()
      agent.notify('session/cancel', { sessionId })
      const { stopReason } = await turn
      const answerMs = performance.now() - startedAt
      if (stopReason !== 'cancelled') throw new Error(`the turn ended with ${stopReason}`)
      while (isSleeping()) await settle(1)
      return { answerMs, goneMs: performance.now() - startedAt }
    })
  },
}

export const token: Work = {
  name: 'token',
  title: "A model's piece of text until it is on the wire",
  against: 'floor-llm',
  budgets: [{ figure: 'medianMs', most: 20 }],
  run: async (stand, name) => {
    const root = stand.scratch.project()
    return stand.withAgent(name, root, async agent => {
      const sessionId = await agent.newSession(root)
      await settle()
      const delays: number[] = []
      await agent.prompt(sessionId, toPrompt({ name: 'say', root, count: 100 }), update => {
        if (update.sessionUpdate !== 'agent_message_chunk') return
        const now = performance.timeOrigin + performance.now()
        for (const [, sentAt] of update.content.text.matchAll(/<([\d.]+)>/g)) delays.push(now - Number(sentAt))
      })
      if (delays.length < 90) return { medianMs: Number.NaN, p95Ms: Number.NaN }
      delays.sort((a, b) => a - b)
      return {
        medianMs: delays[delays.length >> 1] ?? Number.NaN,
        p95Ms: delays[Math.floor(delays.length * 0.95)] ?? Number.NaN,
      }
    })
  },
}

const SLEEPING = 'node\0-e\0setTimeout(() => {}, 31700)\0'

/** Linux only, as all that looks at other processes here. */
function isSleeping(): boolean {
  return readdirSync('/proc').some(name => {
    if (!/^\d+$/.test(name)) return false
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1') === SLEEPING
    } catch {
      return false
    }
  })
}
