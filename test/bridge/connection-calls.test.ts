import { methods, type SessionUpdate } from '@agentclientprotocol/sdk'
import type { Context, Plugin } from 'cordis'
import { describe, expect, it } from 'vitest'
import type { Driver } from '../../src/agent/index.js'
import type { ToolDefinition } from '../../src/registry/index.js'
import { foldUpdates } from '../support/fold.js'
import { type ConnectedAgent, connect } from './connected-agent.js'

const said = (text: string) => ({ content: [{ type: 'text' as const, text }] })

function tool(name: string, definition: Partial<ToolDefinition>): ToolDefinition {
  const parameters = { type: 'object', properties: {} }
  return { name, description: 'A tool of this test.', parameters, execute: async () => said('done'), ...definition }
}

const hang = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

/** One tool for each way a call can end. */
const faulty: Plugin = {
  name: 'faulty',
  inject: ['tools'],
  apply(ctx: Context) {
    for (const definition of [
      tool('good', {}),
      tool('failing', { execute: async () => Promise.reject(new Error('the reason')) }),
      tool('throwing', {
        execute: () => {
          throw new Error('thrown at once')
        },
      }),
      tool('waiting', { execute: async (_args, exec) => hang(exec.signal) }),
      tool('deaf', { execute: () => new Promise<never>(() => {}) }),
      tool('returning-nothing', { execute: (async () => undefined) as never }),
      tool('bad-presenter', {
        presentCall: () => {
          throw new Error('no card')
        },
        presentResult: () => {
          throw new Error('no result card')
        },
      }),
      tool('odd-presenter', {
        presentCall: (() => 5) as never,
        presentResult: (() => ({ card: 'hologram' })) as never,
      }),
      tool('vetoed', {}),
      tool('lost', {}),
      tool('twice', {}),
    ]) {
      ctx.tools.register(definition)
    }
    ctx.on('tools/execute', async (exec, next) => {
      if (exec.name === 'vetoed') throw new Error('not today')
      if (exec.name === 'lost') return undefined as never
      if (exec.name === 'twice') await next()
      return next()
    })
  },
}

/** Calls of a session and how they ended, live and after a load. */
async function outcomes({ connection, updates, cwd }: ConnectedAgent, sessionId: string): Promise<unknown[]> {
  const live = foldUpdates(updates(sessionId), { user: false })
  const from = updates(sessionId).length
  await connection.agent.request(methods.agent.session.close, { sessionId })
  await connection.agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] })
  expect(foldUpdates(updates(sessionId).slice(from), { user: false })).toEqual(live)
  return live.entries.flatMap(entry => (entry.type === 'call' ? [entry.fields.status] : []))
}

function finals(all: readonly SessionUpdate[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const update of all) {
    if (update.sessionUpdate === 'tool_call') counts[update.toolCallId] ??= 0
    if (update.sessionUpdate !== 'tool_call_update') continue
    if (update.status === 'completed' || update.status === 'failed') counts[update.toolCallId]! += 1
  }
  return counts
}

describe('every call has exactly one end, live and after a load (B22)', () => {
  it.each([
    ['good', 'completed'],
    ['failing', 'failed'],
    ['throwing', 'failed'],
    ['returning-nothing', 'failed'],
    ['bad-presenter', 'completed'],
    ['odd-presenter', 'completed'],
    ['vetoed', 'failed'],
    ['lost', 'failed'],
    ['twice', 'failed'],
  ])('of the tool %s it is %s', async (name, status) => {
    const agent = await connect({ plugins: [faulty] })
    const sessionId = await agent.newSession()
    expect(await agent.prompt(sessionId, `/call ${name}`)).toBe('end_turn')
    expect(Object.values(finals(agent.updates(sessionId)))).toEqual([1])
    // No stack trace.
    expect(JSON.stringify(agent.frames)).not.toContain('connection-calls.test')
    expect(await outcomes(agent, sessionId)).toEqual([status])
  })

  it.each(['waiting', 'deaf'])('of the tool %s, when the turn is cancelled, it is failed', async name => {
    const agent = await connect({ plugins: [faulty] })
    const sessionId = await agent.newSession()
    const turn = agent.prompt(sessionId, `/call ${name}`)
    await seen(
      agent,
      sessionId,
      update => update.sessionUpdate === 'tool_call_update' && update.status === 'in_progress',
    )
    await agent.connection.agent.notify(methods.agent.session.cancel, { sessionId })
    expect(await turn).toBe('cancelled')
    expect(Object.values(finals(agent.updates(sessionId)))).toEqual([1])
    expect(await outcomes(agent, sessionId)).toEqual(['failed'])
  })

  it('of a tool that nobody has registered it is failed', async () => {
    const driver: Driver = {
      async *run() {
        yield { type: 'calls', calls: [{ id: 'same', name: 'unknown', arguments: '', origin: 'user' }] }
        yield { type: 'calls', calls: [{ id: 'same', name: 'good', arguments: 'null', origin: 'user' }] }
        return 'end_turn'
      },
    }
    const agent = await connect({ plugins: [faulty], driver: () => driver })
    const sessionId = await agent.newSession()
    expect(await agent.prompt(sessionId, 'go')).toBe('end_turn')
    expect(await outcomes(agent, sessionId)).toEqual(['failed', 'completed'])
  })

  it('a card of streamed arguments that becomes no call is closed, and a driver that throws says so', async () => {
    const driver: Driver = {
      async *run() {
        yield { type: 'call-start', id: 'a', name: 'write', arguments: { path: 'a.txt' } }
        throw new Error('the line broke\n    at some/source.ts:1:1')
      },
    }
    const agent = await connect({ driver: () => driver })
    const sessionId = await agent.newSession()
    expect(await agent.prompt(sessionId, 'go')).toBe('end_turn')
    expect(JSON.stringify(agent.updates(sessionId))).toContain('the line broke')
    expect(JSON.stringify(agent.frames)).not.toContain('source.ts')
    expect(await outcomes(agent, sessionId)).toEqual(['failed'])
  })
})

describe('an agent inside another program', () => {
  it('leaves a plugin that cannot start out, says so in the log, and works', async () => {
    const broken: Plugin = {
      name: 'broken',
      apply() {
        throw new Error('no licence')
      },
    }
    const agent = await connect({ plugins: [broken, faulty] })
    const sessionId = await agent.newSession()
    expect(await agent.prompt(sessionId, '/call good')).toBe('end_turn')
    expect(agent.logged.join('\n')).toMatch(/broken.*no licence/s)
  })

  it('tells the client of tools that come and go while a session is open', async () => {
    let context: Context | undefined
    const later: Plugin = {
      name: 'later',
      inject: ['tools'],
      apply(ctx: Context) {
        context = ctx
      },
    }
    const agent = await connect({ plugins: [later] })
    const sessionId = await agent.newSession()
    await seen(agent, sessionId, update => update.sessionUpdate === 'available_commands_update')
    context?.tools.register(tool('late', {}))
    const hasLate = (update: SessionUpdate) =>
      update.sessionUpdate === 'available_commands_update' &&
      update.availableCommands.some(({ name }) => name === 'late')
    await seen(agent, sessionId, hasLate)
    expect(agent.updates(sessionId).filter(hasLate)).toHaveLength(1)
  })

  it('ends with its connection, and closing it twice does no harm', async () => {
    const agent = await connect({ plugins: [faulty] })
    const sessionId = await agent.newSession()
    const turn = agent.prompt(sessionId, '/call waiting').catch(error => error)
    await seen(agent, sessionId, update => update.sessionUpdate === 'tool_call_update')
    await Promise.all([agent.agent.close(), agent.agent.close()])
    expect(await turn).toBeInstanceOf(Error)
    await agent.agent.closed
  })
})

/** Waits for an update, past or to come. */
async function seen(agent: ConnectedAgent, sessionId: string, fits: (update: SessionUpdate) => boolean): Promise<void> {
  for (const deadline = Date.now() + 10_000; !agent.updates(sessionId).some(fits); ) {
    if (Date.now() > deadline) throw new Error('no such update')
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
