import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { call, calls, Gate, say } from '../../fixtures/model-server/index.js'
import { seen } from '../support/conversation.js'
import { openLocalModelAgent } from '../support/model-agent.js'
import { phases, RUNNING } from '../support/model-phases.js'
import { until } from '../support/processes.js'
import { putTree } from '../support/tree.js'
import { answerQuestions, openModelAgent, protocols, said, startModel } from './model-support.js'
import { cards, makeDirectory } from './support.js'

/** Where the two protocols can differ in what a killed turn leaves behind. */
const KILLS = { openai: /arguments/, anthropic: /behind|arguments|second step|question/ }

it.each(protocols)(
  'after SIGKILL in each phase a new process loads the session and goes on from a valid history (B51, %s)',
  async protocol => {
    const cwd = makeDirectory()
    await putTree(cwd, { 'old.txt': 'old\n' })
    const server = await startModel()
    const stateDir = makeDirectory('state')
    let sessionId: string | undefined
    for (const { script, shows = /hought|Hm/, isAnswered } of [
      ...phases.filter(({ name }) => KILLS[protocol].test(name)),
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
    const last = await openLocalModelAgent(server, protocol, { stateDir })
    await last.request('session/load', { sessionId, cwd, mcpServers: [] })
    const id = sessionId ?? ''
    const replayed = cards(last.updates(id)).map(({ fields }) => fields.status)
    expect(replayed.filter(status => status !== 'completed' && status !== 'failed')).toEqual([])
    const from = last.frames.length
    expect((await last.prompt(id, 'and now')).result).toEqual({ stopReason: 'end_turn' })
    expect(said(last, id, 'message', from)).toBe('Next.')
    expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toMatch(/interrupted/)
    expect(readdirSync(cwd)).toEqual(['old.txt'])
  },
)
