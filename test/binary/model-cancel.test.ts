import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, calls, Gate, say, speak, type Turn, think } from '../../fixtures/model-server/index.js'
import { isRunning, until } from '../support/processes.js'
import { putTree } from '../support/tree.js'
import {
  answerQuestions,
  isQuestion,
  openModelAgent,
  protocols,
  said,
  shareModelAgent,
  startModel,
} from './model-support.js'
import { cards, makeDirectory } from './support.js'

/** Bound of the wait for the answer to a cancelled prompt; the machine may be busy. */
const CANCEL_LIMIT_MS = 5000

type Scripted = Turn | { status: number; type: string; message: string; headers: Record<string, string> }

interface Phase {
  name: string
  /** Answers up to the phase; the gate is where the server waits. */
  script: (gate: Gate) => Scripted[]
  /** A piece of a frame that shows the phase; without it the gate does. */
  shows?: RegExp
}

const NEVER = 'never-to-be-seen'

const phases: Phase[] = [
  { name: 'before the first byte', script: gate => [{ ...say(NEVER), hold: gate }] },
  { name: 'in text', script: gate => [say(['Half a sen', gate, NEVER])], shows: /Half/ },
  {
    name: 'in text after a thought',
    script: gate => [{ parts: [think('Whole.'), speak(['Half a sen', gate, NEVER])] }],
  },
  {
    name: 'in thinking',
    script: gate => [{ parts: [think(['Half a thou', gate, NEVER]), speak(NEVER)] }],
    shows: /Half/,
  },
  { name: 'behind a whole thought', script: gate => [{ parts: [think('A whole thought.'), speak([gate, NEVER])] }] },
  {
    name: 'in arguments',
    script: gate => [
      {
        parts: [
          think('Hm.'),
          call('write', ['{"path":"new.txt","content":"x', gate, `${NEVER}"}`]),
          call('bash', { command: `touch ${NEVER}` }),
        ],
      },
    ],
    shows: /new\.txt/,
  },
  {
    name: 'in the second step',
    script: gate => [calls(call('read', { path: 'old.txt' })), { parts: [think('Hm.'), speak(['Half', gate, NEVER])] }],
  },
  {
    name: 'at a question',
    script: () => [
      {
        parts: [
          think('Hm.'),
          call('read', { path: 'old.txt' }),
          call('write', { path: 'new.txt', content: NEVER }),
          call('read', { path: 'old.txt' }),
        ],
      },
    ],
    shows: /request_permission/,
  },
  {
    name: 'in the wait for a retry',
    script: () => [{ status: 429, type: 'rate_limit_error', message: 'Slow down.', headers: { 'retry-after': '30' } }],
    shows: /Trying again in 30 s/,
  },
]

describe.each(protocols)('%s', protocol => {
  const withModel = shareModelAgent(protocol)

  it.each(phases)('a cancel $name ends the turn, and the next prompt goes on from a valid history', async phase => {
    const cwd = makeDirectory()
    await putTree(cwd, { 'old.txt': 'old\n' })
    const gate = new Gate()
    const { agent, server } = withModel(...phase.script(gate))
    const sessionId = await agent.newSession(cwd)
    const turn = agent.start('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] })
    const { shows } = phase
    if (!phase.script(gate).some(step => 'status' in step) && phase.name !== 'at a question') await gate.reached
    if (shows) {
      await agent.frame(frame => frame.params?.sessionId === sessionId && shows.test(JSON.stringify(frame)))
    }
    agent.send({ method: 'session/cancel', params: { sessionId } })
    const answer = await agent.frame(({ id, method }) => id === turn && method === undefined, CANCEL_LIMIT_MS)
    expect(answer.result).toEqual({ stopReason: 'cancelled' })
    const end = agent.frames.indexOf(answer) + 1
    // What the server still has to say goes nowhere: the request is given up.
    gate.open()
    for (const question of agent.frames.filter(frame => isQuestion(frame, sessionId))) {
      agent.send({ id: question.id, result: { outcome: { outcome: 'selected', optionId: 'allow_once' } } })
    }
    const last = server.requests.at(-1)
    if (phase.script(gate).length === server.requests.length && !shows?.test('request_permission') && last) {
      expect(await last.over).toBe(phase.name === 'in the wait for a retry')
    }

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
        call('bash', { command: 'echo $$ > pid; echo started; sleep 300 & sleep 300; touch never' }),
        call('bash', { command: 'touch never' }),
      ),
    )
    const sessionId = await agent.newSession(cwd)
    answerQuestions(agent, sessionId)
    const turn = agent.start('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] })
    await agent.frame(
      ({ params }) => params?.sessionId === sessionId && params.update?._meta?.terminal_output?.data === 'started\n',
    )
    const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'))
    agent.send({ method: 'session/cancel', params: { sessionId } })
    const answer = await agent.frame(({ id, method }) => id === turn && method === undefined, CANCEL_LIMIT_MS)
    expect(answer.result).toEqual({ stopReason: 'cancelled' })
    await until(() => !isRunning(pid))
    expect(cards(agent.updates(sessionId)).map(({ fields }) => fields.status)).toEqual(['failed', 'failed'])

    server.script.push(say('Next.'))
    expect((await agent.prompt(sessionId, 'and now')).result).toEqual({ stopReason: 'end_turn' })
    expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toMatch(/started.*cancel/is)
    expect(existsSync(join(cwd, 'never'))).toBe(false)
  })

  it.each(phases.filter(({ name }) => /arguments|question|second step|behind/.test(name)))(
    'after SIGKILL $name a new process loads the session and goes on from a valid history',
    async phase => {
      const cwd = makeDirectory()
      await putTree(cwd, { 'old.txt': 'old\n' })
      const gate = new Gate()
      const server = await startModel(...phase.script(gate))
      const first = await openModelAgent(server, protocol)
      const sessionId = await first.newSession(cwd)
      first.start('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] })
      if (phase.name !== 'at a question') await gate.reached
      const { shows = /agent_thought_chunk/ } = phase
      await first.frame(frame => shows.test(JSON.stringify(frame)))
      first.child.kill('SIGKILL')
      await first.exited

      server.script.push(calls(call('read', { path: 'old.txt' })), say('Next.'))
      const second = await openModelAgent(server, protocol, { stateDir: first.stateDir })
      expect((await second.request('session/load', { sessionId, cwd, mcpServers: [] })).error).toBeUndefined()
      expect((await second.prompt(sessionId, 'and now')).result).toEqual({ stopReason: 'end_turn' })
      expect(cards(second.updates(sessionId)).at(-1)?.fields.status).toBe('completed')
      expect(said(second, sessionId)).toMatch(/Next\.$/)
      expect(readdirSync(cwd)).toEqual(['old.txt'])
    },
  )
})
