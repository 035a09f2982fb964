import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, calls, Gate, say, speak, type Turn, think } from '../../fixtures/model-server/index.js'
import type { Frame } from '../support/agent-process.js'
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
import { type CheckedAgent, cards, makeDirectory } from './support.js'

/** Bound of the wait for the answer to a cancelled prompt; the machine may be busy. */
const CANCEL_LIMIT_MS = 5000

type Scripted = Turn | { status: number; type: string; message: string; headers: Record<string, string> }

interface Phase {
  name: string
  /** Answers up to the phase; the gate is where the server waits. */
  script: (gate: Gate) => Scripted[]
  /** What shows the phase on the client's side. */
  shows?: RegExp
  /** The server has said all that it has to say. */
  isAnswered?: true
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
    isAnswered: true,
  },
  {
    name: 'in the wait for a retry',
    script: () => [{ status: 429, type: 'rate_limit_error', message: 'Slow down.', headers: { 'retry-after': '30' } }],
    shows: /Trying again in 30 s/,
    isAnswered: true,
  },
]

const RUNNING: Phase = {
  name: 'in a running command',
  script: () => [
    {
      parts: [
        think('Hm.'),
        call('read', { path: 'old.txt' }),
        call('bash', { command: 'echo running; sleep 300' }),
        call('read', { path: 'old.txt' }),
      ],
    },
  ],
  shows: /"data":"running/,
  isAnswered: true,
}

function isOfTurn({ sessionUpdate }: Frame): boolean {
  return /_chunk$|^tool_call|^plan/.test(sessionUpdate)
}

/** What a user has seen of a session: its texts as they read, and all else as it came. */
function seen(agent: CheckedAgent, sessionId: string, from = 0): string {
  const frames = agent.frames.slice(from).filter(({ params }) => params?.sessionId === sessionId)
  const texts = (['message', 'thought'] as const).map(kind => said(agent, sessionId, kind, from))
  return `${texts} ${JSON.stringify(frames)}`
}

/** Where the two protocols can differ in what a killed turn leaves behind. */
const KILLS = { openai: /arguments/, anthropic: /behind|arguments|second step|question/ }

describe.each(protocols)('%s', protocol => {
  const kills = KILLS[protocol]
  const withModel = shareModelAgent(protocol)

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

  it('after SIGKILL in each phase a new process loads the session and goes on from a valid history (B51)', async () => {
    const cwd = makeDirectory()
    await putTree(cwd, { 'old.txt': 'old\n' })
    const server = await startModel()
    const stateDir = makeDirectory('state')
    let sessionId: string | undefined
    for (const { script, shows = /hought|Hm/, isAnswered } of [
      ...phases.filter(({ name }) => kills.test(name)),
      RUNNING,
    ]) {
      const agent = await openModelAgent(server, protocol, { stateDir })
      if (sessionId === undefined) sessionId = await agent.newSession(cwd)
      else await agent.request('session/load', { sessionId, cwd, mcpServers: [] })
      const from = agent.frames.length
      const gate = new Gate()
      server.script.push(...script(gate))
      if (script === RUNNING.script) answerQuestions(agent, sessionId)
      agent.start('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] })
      if (!isAnswered) await gate.reached
      await until(() => shows.test(seen(agent, sessionId ?? '', from)))
      agent.child.kill('SIGKILL')
      await agent.exited
    }
    server.script.push(calls(call('read', { path: 'old.txt' })), say('Next.'))
    const last = await openModelAgent(server, protocol, { stateDir })
    await last.request('session/load', { sessionId, cwd, mcpServers: [] })
    const id = sessionId ?? ''
    const replayed = cards(last.updates(id)).map(({ fields }) => fields.status)
    expect(replayed.filter(status => status !== 'completed' && status !== 'failed')).toEqual([])
    const from = last.frames.length
    expect((await last.prompt(id, 'and now')).result).toEqual({ stopReason: 'end_turn' })
    expect(said(last, id, 'message', from)).toBe('Next.')
    expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toMatch(/interrupted/)
    expect(readdirSync(cwd)).toEqual(['old.txt'])
  })
})
