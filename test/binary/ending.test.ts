import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isRunning, until } from '../support/processes.js'
import { type CheckedAgent, makeDirectory, openAgent, startAgent } from './support.js'

async function startSleeper(agent: CheckedAgent): Promise<{ sessionId: string; pids: number[] }> {
  const cwd = makeDirectory()
  const sessionId = await agent.newSession(cwd)
  const text = '!sleep 300 & echo $! > child; echo $$ > shell; echo ready; sleep 300'
  agent.start('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
  await agent.frame(({ params }) => params?.update?._meta?.terminal_output?.data === 'ready\n')
  return { sessionId, pids: ['child', 'shell'].map(name => Number(readFileSync(join(cwd, name), 'utf8'))) }
}

function lastRecords(agent: CheckedAgent, sessionId: string): object[] {
  const log = readFileSync(join(agent.stateDir, 'sessions', `${sessionId}.jsonl`), 'utf8')
  return log
    .trimEnd()
    .split('\n')
    .slice(-2)
    .map(line => JSON.parse(line))
}

it('the end of stdin in the middle of a turn ends the commands, records it as cancelled, and exits with 0', async () => {
  const agent = await openAgent('terminal_output')
  const { sessionId, pids } = await startSleeper(agent)
  expect(await agent.end()).toEqual({ code: 0, signal: null })
  await until(() => !pids.some(isRunning))
  expect(lastRecords(agent, sessionId)).toMatchObject([
    { type: 'tool/result', isError: true },
    { type: 'turn/end', stopReason: 'cancelled' },
  ])
  expect(agent.stderr).toBe('')
})

it.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)('%s in the middle of a turn ends it as well, and the exit code says so', async (signal, code) => {
  const agent = await openAgent('terminal_output')
  const { sessionId, pids } = await startSleeper(agent)
  agent.child.kill(signal)
  expect(await agent.exited).toEqual({ code, signal: null })
  await until(() => !pids.some(isRunning))
  expect(lastRecords(agent, sessionId)).toMatchObject([
    { type: 'tool/result' },
    { type: 'turn/end', stopReason: 'cancelled' },
  ])
})

it('the end of stdin before anything was said ends the process', async () => {
  const agent = startAgent()
  expect(await agent.end()).toEqual({ code: 0, signal: null })
  expect(agent.frames).toEqual([])
  expect(agent.stderr).toBe('')
})

it('a client that closes its end of stdout ends the process and its commands (EPIPE)', async () => {
  const agent = await openAgent('terminal_output')
  const { pids } = await startSleeper(agent)
  agent.child.stdout?.destroy()
  // Something has to be written to find out.
  agent.start('session/list')
  expect(await agent.exited).toEqual({ code: 0, signal: null })
  await until(() => !pids.some(isRunning))
  expect(agent.stderr).toBe('')
})

it('what stood in the last line without a newline is still taken', async () => {
  const agent = startAgent()
  agent.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } }))
  const ended = agent.end()
  expect((await agent.frame(frame => frame.id === 1)).result).toMatchObject({ protocolVersion: 1 })
  expect(await ended).toEqual({ code: 0, signal: null })
})
