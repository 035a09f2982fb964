import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, calls, Gate, say } from '../../fixtures/model-server/index.js'
import type { Frame } from '../support/agent-client.js'
import { cards } from '../support/cards.js'
import { answerQuestions, isQuestion, said, seen } from '../support/conversation.js'
import { makeDirectory } from '../support/directory.js'
import { protocols, shareLocalModelAgent } from '../support/model-agent.js'
import { NEVER, phases } from '../support/model-phases.js'
import { isRunning, until } from '../support/processes.js'
import { putTree } from '../support/tree.js'

/** Bound of the wait for the answer to a cancelled prompt; the machine may be busy. */
const CANCEL_LIMIT_MS = 5000

function isOfTurn({ sessionUpdate }: Frame): boolean {
  return /_chunk$|^tool_call|^plan/.test(sessionUpdate)
}

describe.each(protocols)('%s', protocol => {
  const withModel = shareLocalModelAgent(protocol)

  it.each(phases)('a cancel $name ends the turn, and the next prompt goes on from a valid history', async phase => {
    const cwd = makeDirectory()
    await putTree(cwd, { 'old.txt': 'old\n' })
    const gate = new Gate()
    const { agent, server } = withModel(...phase.script(gate))
    const sessionId = await agent.newSession(cwd)
    const turn = agent.start('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] })
    const { shows, isAnswered } = phase
    if (!isAnswered) await gate.reached
    if (shows) await until(() => shows.test(seen(agent, sessionId)))
    agent.send({ method: 'session/cancel', params: { sessionId } })
    const answer = await agent.frame(({ id, method }) => id === turn && method === undefined, CANCEL_LIMIT_MS)
    expect(answer.result).toEqual({ stopReason: 'cancelled' })
    const end = agent.frames.indexOf(answer) + 1
    // What the server still has to say goes nowhere: the request is given up.
    gate.open()
    for (const question of agent.frames.filter(frame => isQuestion(frame, sessionId))) {
      agent.send({ id: question.id, result: { outcome: { outcome: 'selected', optionId: 'allow_once' } } })
    }
    await agent.request('session/list')
    expect(agent.updates(sessionId, end).filter(isOfTurn)).toEqual([])
    if (!isAnswered) expect(await server.requests.at(-1)?.over).toBe(false)

    server.script.push(calls(call('read', { path: 'old.txt' })), say('Next.'))
    expect((await agent.prompt(sessionId, 'and now')).result).toEqual({ stopReason: 'end_turn' })
    expect(said(agent, sessionId, 'message', end)).toBe('Next.')
    expect(cards(agent.updates(sessionId)).at(-1)?.fields.status).toBe('completed')
    for (const card of cards(agent.updates(sessionId)).slice(0, -1)) {
      expect(card.fields.status).toMatch(/completed|failed/)
    }
    expect(JSON.stringify(agent.updates(sessionId).filter(update => !update.toolCallId))).not.toContain(NEVER)
    expect(readdirSync(cwd)).toEqual(['old.txt'])
  })

  it('a cancel of a running command leaves no process, and the model learns what became of it', async () => {
    const cwd = makeDirectory()
    const { agent, server } = withModel(
      calls(
        call('bash', { command: 'sleep 300 & echo pids $$ $!.; sleep 300; touch never' }),
        call('bash', { command: 'touch never' }),
      ),
    )
    const sessionId = await agent.newSession(cwd)
    answerQuestions(agent, sessionId)
    const turn = agent.start('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] })
    const frame = await agent.frame(
      ({ params }) => params?.sessionId === sessionId && /pids \d+/.test(params.update?._meta?.terminal_output?.data),
    )
    const pids = /pids (\d+) (\d+)/.exec(JSON.stringify(frame))?.slice(1).map(Number)
    agent.send({ method: 'session/cancel', params: { sessionId } })
    const answer = await agent.frame(({ id, method }) => id === turn && method === undefined, CANCEL_LIMIT_MS)
    expect(answer.result).toEqual({ stopReason: 'cancelled' })
    expect(pids).toHaveLength(2)
    await until(() => !pids?.some(isRunning))
    expect(cards(agent.updates(sessionId)).map(({ fields }) => fields.status)).toEqual(['failed', 'failed'])

    server.script.push(say('Next.'))
    expect((await agent.prompt(sessionId, 'and now')).result).toEqual({ stopReason: 'end_turn' })
    expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toMatch(/pids \d+.*cancel/is)
    expect(existsSync(join(cwd, 'never'))).toBe(false)
  })
})
