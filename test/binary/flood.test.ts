import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { foldUpdates } from '../support/fold.js'
import { isRunning, until } from '../support/processes.js'
import { type CheckedAgent, makeDirectory, shareAgent } from './support.js'

const MiB = 1024 * 1024
const agents = { plain: shareAgent(), terminal_output: shareAgent('terminal_output') }

it.each(['plain', 'terminal_output'] as const)(
  '20 MB of output cost bounded memory and a bounded wire, head and tail stay, the exit code is true (B33, %s)',
  async client => {
    const cwd = makeDirectory()
    const agent = agents[client]()
    const sessionId = await agent.newSession(cwd)
    await agent.prompt(sessionId, '!true')
    const idle = rssBytes(agent)
    const from = agent.frames.length
    const command = '!echo first; head -c 20000000 /dev/zero | tr "\\0" x | fold -w 99; echo last; exit 4'
    const turn = agent.start('session/prompt', { sessionId, prompt: [{ type: 'text', text: command }] })
    let peak = idle
    const watch = setInterval(() => {
      peak = Math.max(peak, rssBytes(agent))
    }, 20)
    expect((await agent.response(turn)).result).toEqual({ stopReason: 'end_turn' })
    clearInterval(watch)

    const bytes = agent.frames.slice(from).reduce((sum, frame) => sum + JSON.stringify(frame).length, 0)
    console.info(`${client}: 20 MB of output: ${Math.round((peak - idle) / MiB)} MiB more memory, ${bytes} bytes sent`)
    expect(peak - idle).toBeLessThan(200 * MiB)
    expect(bytes).toBeLessThan(1.3 * MiB)
    const [card] = foldUpdates(agent.updates(sessionId, from)).entries
    if (card?.type !== 'call') throw new Error('a call was shown')
    const shown = card.terminal?.data ?? JSON.stringify(card.fields.content)
    expect(card.fields.status).toBe('failed')
    expect(card.terminal?.exit ?? { exit_code: 4 }).toEqual({ exit_code: 4 })
    expect(shown).toContain('first')
    expect(shown).toContain('last')
    expect(shown).toMatch(/\[\d[\d,]* bytes left out\]|\[.*left out.*\]/)
  },
)

it('a cancel is answered while a command floods, and the command is gone (B53)', async () => {
  const agent = agents.terminal_output()
  const sessionId = await agent.newSession(makeDirectory())
  const turn = agent.start('session/prompt', { sessionId, prompt: [{ type: 'text', text: '!echo $$; exec yes' }] })
  await agent.frame(frame => frame.params?.sessionId === sessionId && JSON.stringify(frame).includes('\\ny\\n'))
  agent.send({ method: 'session/cancel', params: { sessionId } })
  expect((await agent.response(turn)).result).toEqual({ stopReason: 'cancelled' })
  const pid = Number(/\b(\d+)\\ny/.exec(JSON.stringify(agent.updates(sessionId)))?.[1])
  await until(() => !isRunning(pid))
  expect((await agent.prompt(sessionId, '!echo next')).result).toEqual({ stopReason: 'end_turn' })
})

it('a command that floods until its timeout ends with a word on it (B33)', async () => {
  const agent = agents.terminal_output()
  const sessionId = await agent.newSession(makeDirectory())
  await agent.prompt(sessionId, '/bash command=yes timeout_ms=1000')
  const [card] = foldUpdates(agent.updates(sessionId)).entries
  if (card?.type !== 'call') throw new Error('a call was shown')
  expect(card.fields.status).toBe('failed')
  expect(card.terminal?.data).toMatch(/y\n\[timed out after 1 s.*\]\n$/)
  expect(card.terminal?.data).toMatch(/left out/)
  expect(card.terminal?.exit).toEqual({ signal: 'SIGTERM' })
})

function rssBytes(agent: CheckedAgent): number {
  const status = readFileSync(`/proc/${agent.child.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}
