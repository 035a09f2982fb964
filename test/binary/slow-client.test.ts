import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isRunning, until } from '../support/processes.js'
import { type CheckedAgent, cards, makeDirectory, openAgent } from './support.js'

const MiB = 1024 * 1024

function rssBytes(agent: CheckedAgent): number {
  const status = readFileSync(`/proc/${agent.child.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}

it('a client that stops reading costs bounded memory, and gets everything in order when it reads on', async () => {
  const cwd = makeDirectory()
  const agent = await openAgent('terminal_output')
  const ids: string[] = []
  for (let count = 0; count < 4; count++) ids.push(await agent.newSession(cwd))
  const idle = rssBytes(agent)
  agent.child.stdout?.pause()
  const command = '!seq 400000; echo the end > done-$$; echo last'
  const turns = ids.map(sessionId =>
    agent.start('session/prompt', { sessionId, prompt: [{ type: 'text', text: command }] }),
  )
  const log = (sessionId: string) => {
    try {
      return readFileSync(`${agent.stateDir}/sessions/${sessionId}.jsonl`, 'utf8')
    } catch {
      return ''
    }
  }
  // The commands themselves do not wait for the client; each record is in the log before it is shown.
  await until(() => ids.every(sessionId => log(sessionId).length > 500_000), 40_000)
  console.info(
    `a client that does not read, four sessions: ${Math.round((rssBytes(agent) - idle) / MiB)} MiB more memory`,
  )
  expect(rssBytes(agent) - idle).toBeLessThan(200 * MiB)
  agent.child.stdout?.resume()
  for (const turn of turns) expect((await agent.response(turn)).result).toEqual({ stopReason: 'end_turn' })
  for (const sessionId of ids) {
    const [card] = cards(agent.updates(sessionId))
    const lines = card?.terminal?.data.split('\n') ?? []
    expect(lines.slice(0, 1000)).toEqual(Array.from({ length: 1000 }, (_, index) => String(index + 1)))
    expect(lines.slice(-3)).toEqual(['400000', 'last', ''])
    expect(card?.terminal?.exit).toEqual({ exit_code: 0 })
  }
})

it('SIGTERM ends an agent whose client reads nothing, with its commands', async () => {
  const agent = await openAgent('terminal_output')
  const sessionId = await agent.newSession(makeDirectory())
  agent.start('session/prompt', { sessionId, prompt: [{ type: 'text', text: '!echo pid $$.; exec yes' }] })
  const frame = await agent.frame(({ params }) => /pid \d+\./.test(JSON.stringify(params?.update?._meta ?? '')))
  const pid = Number(/pid (\d+)\./.exec(JSON.stringify(frame))?.[1])
  agent.child.stdout?.pause()
  const started = performance.now()
  agent.child.kill('SIGTERM')
  expect(await agent.exited).toEqual({ code: 143, signal: null })
  console.info(`SIGTERM with a client that reads nothing: ${Math.round(performance.now() - started)} ms`)
  await until(() => !isRunning(pid))
})

it('the end of stdin ends it as well while the client reads nothing and a replay waits to be read', async () => {
  const cwd = makeDirectory()
  const agent = await openAgent('terminal_output')
  const sessionId = await agent.newSession(cwd)
  for (let count = 0; count < 4; count++) await agent.prompt(sessionId, '!seq 200000')
  await agent.request('session/close', { sessionId })
  agent.child.stdout?.pause()
  agent.start('session/load', { sessionId, cwd, mcpServers: [] })
  expect(await agent.end()).toEqual({ code: 0, signal: null })
})

it('a cancel reaches the command while the client reads nothing', async () => {
  const agent = await openAgent('terminal_output')
  const sessionId = await agent.newSession(makeDirectory())
  const turn = agent.start('session/prompt', { sessionId, prompt: [{ type: 'text', text: '!echo pid $$.; exec yes' }] })
  const frame = await agent.frame(({ params }) => /pid \d+\./.test(JSON.stringify(params?.update?._meta ?? '')))
  const pid = Number(/pid (\d+)\./.exec(JSON.stringify(frame))?.[1])
  agent.child.stdout?.pause()
  agent.send({ method: 'session/cancel', params: { sessionId } })
  await until(() => !isRunning(pid))
  agent.child.stdout?.resume()
  expect((await agent.response(turn)).result).toEqual({ stopReason: 'cancelled' })
})
