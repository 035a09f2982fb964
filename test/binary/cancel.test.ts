import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isRunning, until } from '../support/processes.js'
import { type CheckedAgent, cards, makeDirectory, messageText, shareAgent } from './support.js'

const plain = shareAgent()
const terminals = shareAgent('terminal_output')

const promptParams = (sessionId: string, text: string) => ({ sessionId, prompt: [{ type: 'text', text }] })

/** Starts a command that prints the pid of its shell and then waits; resolves once it runs. */
async function startSleeper(agent: CheckedAgent, sessionId: string): Promise<{ turn: number; pid: number }> {
  const turn = agent.start('session/prompt', promptParams(sessionId, '!echo pid $$.; sleep 300; echo never'))
  const frame = await agent.frame(
    ({ params }) => params?.sessionId === sessionId && /pid \d+\./.test(JSON.stringify(params.update._meta ?? '')),
  )
  return { turn, pid: Number(/pid (\d+)\./.exec(JSON.stringify(frame))?.[1]) }
}

it('a cancel ends the running command with its group, and the session takes the next prompt (B53)', async () => {
  const agent = terminals()
  const sessionId = await agent.newSession(makeDirectory())
  const { turn, pid } = await startSleeper(agent, sessionId)
  agent.send({ method: 'session/cancel', params: { sessionId } })
  expect((await agent.response(turn)).result).toEqual({ stopReason: 'cancelled' })
  await until(() => !isRunning(pid))
  expect(cards(agent.updates(sessionId))).toMatchObject([
    { fields: { status: 'failed' }, terminal: { data: `pid ${pid}.\n[cancelled]\n`, exit: { signal: 'SIGTERM' } } },
  ])
  expect((await agent.prompt(sessionId, '!echo next')).result).toEqual({ stopReason: 'end_turn' })
})

it.each([
  ['session/cancel', (sessionId: string) => ({ sessionId })],
  ['$/cancel_request', () => ({ requestId: 'p' })],
])('a %s right behind its prompt is not lost: nothing runs (B54)', async (method, toParams) => {
  const cwd = makeDirectory()
  const agent = plain()
  const sessionId = await agent.newSession(cwd)
  const prompt = { jsonrpc: '2.0', id: 'p', method: 'session/prompt', params: promptParams(sessionId, '!touch ran') }
  const cancel = { jsonrpc: '2.0', method, params: toParams(sessionId) }
  const from = agent.frames.length
  agent.sent.push(prompt, cancel)
  agent.write(`${JSON.stringify(prompt)}\n${JSON.stringify(cancel)}\n`)
  const answer = await agent.frame(frame => frame.id === 'p' && agent.frames.indexOf(frame) >= from)
  expect(answer.result).toEqual({ stopReason: 'cancelled' })
  expect(cards(agent.updates(sessionId))).toEqual([])
  expect(existsSync(join(cwd, 'ran'))).toBe(false)
  expect((await agent.prompt(sessionId, '!touch ran')).result).toEqual({ stopReason: 'end_turn' })
  expect(existsSync(join(cwd, 'ran'))).toBe(true)
})

it('cancels that come twice, with no turn, or after the answer do no harm (B54)', async () => {
  const agent = terminals()
  const sessionId = await agent.newSession(makeDirectory())
  const cancel = () => agent.send({ method: 'session/cancel', params: { sessionId } })
  cancel()
  const { turn } = await startSleeper(agent, sessionId)
  cancel()
  cancel()
  expect((await agent.response(turn)).result).toEqual({ stopReason: 'cancelled' })
  cancel()
  expect((await agent.prompt(sessionId, '!echo next')).result).toEqual({ stopReason: 'end_turn' })
  agent.send({ method: 'session/cancel', params: { sessionId: 'unknown' } })
  agent.send({ method: 'session/cancel', params: {} })
  agent.send({ method: 'session/cancel' })
  expect((await agent.prompt(sessionId, '!echo next')).result).toEqual({ stopReason: 'end_turn' })
})

it('a cancel between two commands of a prompt leaves the second unrun', async () => {
  const cwd = makeDirectory()
  const agent = terminals()
  const sessionId = await agent.newSession(cwd)
  const turn = agent.start('session/prompt', promptParams(sessionId, '!echo one; sleep 300\n!touch two'))
  await agent.frame(
    ({ params }) => params?.sessionId === sessionId && params.update._meta?.terminal_output?.data === 'one\n',
  )
  agent.send({ method: 'session/cancel', params: { sessionId } })
  expect((await agent.response(turn)).result).toEqual({ stopReason: 'cancelled' })
  expect(existsSync(join(cwd, 'two'))).toBe(false)
})

it('$/cancel_request on a prompt is answered as cancelled, not with an error', async () => {
  const agent = terminals()
  const sessionId = await agent.newSession(makeDirectory())
  const { turn, pid } = await startSleeper(agent, sessionId)
  agent.send({ method: '$/cancel_request', params: { requestId: turn } })
  expect((await agent.response(turn)).result).toEqual({ stopReason: 'cancelled' })
  await until(() => !isRunning(pid))
  agent.send({ method: '$/cancel_request', params: { requestId: turn } })
  agent.send({ method: '$/cancel_request', params: { requestId: 'unknown' } })
  agent.send({ method: '$/cancel_request', params: {} })
  expect((await agent.prompt(sessionId, '!echo next')).result).toEqual({ stopReason: 'end_turn' })
})

it('$/cancel_request on a load stops it: nothing of it comes after its answer, and it can be asked for again', async () => {
  const cwd = makeDirectory()
  const agent = terminals()
  const sessionId = await agent.newSession(cwd)
  for (const text of ['one', 'two', 'three'])
    await agent.prompt(sessionId, `!echo ${text}; head -c 200000 /dev/zero | tr "\\0" x`)
  await agent.request('session/close', { sessionId })
  const params = { sessionId, cwd, mcpServers: [] }
  const load = { jsonrpc: '2.0', id: 'load', method: 'session/load', params }
  const cancel = { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 'load' } }
  agent.sent.push(load, cancel)
  agent.write(`${JSON.stringify(load)}\n${JSON.stringify(cancel)}\n`)
  const answer = await agent.frame(frame => frame.id === 'load')
  expect(answer.error).toMatchObject({ code: -32800 })
  expect((await agent.prompt(sessionId, '!echo x')).error).toMatchObject({ code: -32602 })
  expect(agent.frames.slice(agent.frames.indexOf(answer)).filter(frame => frame.method)).toEqual([])
  expect((await agent.request('session/load', params)).error).toBeUndefined()
  expect(cards(agent.updates(sessionId, agent.frames.indexOf(answer)))).toHaveLength(3)
})

it('session/close and session/delete answer a running prompt with cancelled and end its command', async () => {
  const agent = terminals()
  for (const method of ['session/close', 'session/delete']) {
    const sessionId = await agent.newSession(makeDirectory())
    const { turn, pid } = await startSleeper(agent, sessionId)
    expect((await agent.request(method, { sessionId })).result).toEqual({})
    expect((await agent.response(turn)).result).toEqual({ stopReason: 'cancelled' })
    await until(() => !isRunning(pid))
    expect((await agent.prompt(sessionId, '!echo x')).error).toMatchObject({ code: -32602 })
  }
})

it('a second prompt while one runs is refused, and the first goes on', async () => {
  const cwd = makeDirectory()
  const agent = terminals()
  const sessionId = await agent.newSession(cwd)
  const command = '!echo waiting; while ! test -e go; do sleep 0.02; done; echo done > result'
  const turn = agent.start('session/prompt', promptParams(sessionId, command))
  await agent.frame(({ params }) => params?.update?._meta?.terminal_output?.data === 'waiting\n')
  const second = await agent.prompt(sessionId, '!touch go')
  expect(second.error).toMatchObject({ code: -32602, data: { details: expect.stringMatching(/already running/) } })
  const other = await agent.newSession(cwd)
  expect((await agent.prompt(other, '!touch go')).result).toEqual({ stopReason: 'end_turn' })
  expect((await agent.response(turn)).result).toEqual({ stopReason: 'end_turn' })
  expect(readFileSync(join(cwd, 'result'), 'utf8')).toBe('done\n')
  expect(messageText(agent.updates(sessionId))).toBe('')
})
