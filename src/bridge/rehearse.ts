import { homedir } from 'node:os'
import { PassThrough, Writable } from 'node:stream'
import { setImmediate as nextTask } from 'node:timers/promises'
import { agent, methods, type SessionUpdate } from '@agentclientprotocol/sdk'
import type { Context } from 'cordis'
import { type Driver, runTurn } from '../agent/index.js'
import { text } from '../cards/index.js'
import { sampleCalls } from '../registry/index.js'
import { type LoggedEvent, MemoryStore } from '../session/index.js'
import { loadMessageSchemas } from './connect/message-schemas.js'
import type { ClientProfile } from './render/profile.js'
import { SessionTable } from './sessions/session-table.js'
import { SessionView, type ViewOptions } from './sessions/session-view.js'
import { stdioStream } from './wire/stdio.js'
import { tapWire } from './wire/wire-tap.js'

const SESSION_ID = 'rehearsal'

/**
 * Lets a client that is not there open, load and prompt a session that is none, and draws a card of each shipped tool for it: what
 * runs for the first time takes several times as long, and the client that is there should not wait for it. Touches no file
 * and starts nothing; each message is a task of its own. Ends early once the signal is aborted.
 */
export async function rehearse(ctx: Context, profile: ClientProfile, signal: AbortSignal): Promise<void> {
  await loadMessageSchemas()
  const input = new PassThrough()
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const { session } = methods.agent
  const connection = agent({ name: SESSION_ID })
    .onRequest(session.new, () => ({ sessionId: SESSION_ID }))
    .onRequest(session.load, () => ({}))
    .onRequest(session.prompt, () => ({ stopReason: 'end_turn' as const }))
    .connect(tapWire(stdioStream(input, output), {}).stream)
  const send = async (sessionId: string, update: SessionUpdate) => {
    await nextTask()
    await connection.client.notify(methods.client.session.update, { sessionId, update })
  }
  const client = { profile, send, log: () => {} }
  try {
    for (const [id, request] of toRequests().entries()) {
      if (signal.aborted) return
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`)
      await nextTask()
    }
    const events = await runSamples(ctx, client, signal)
    if (!signal.aborted) await load(ctx, client, events, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    input.end()
    await connection.closed
  }
}

type Client = Pick<ViewOptions, 'profile' | 'send' | 'log'>

function toRequests(): { method: string; params: object }[] {
  const place = { cwd: homedir(), mcpServers: [] }
  const { session } = methods.agent
  return [
    { method: session.new, params: place },
    { method: session.load, params: { sessionId: SESSION_ID, ...place } },
    { method: session.prompt, params: { sessionId: SESSION_ID, prompt: [{ type: 'text', text: 'a' }] } },
  ]
}

/** A turn with a call of each shipped tool, none of which runs, and what a log would hold of it. */
async function runSamples(ctx: Context, client: Client, signal: AbortSignal): Promise<LoggedEvent[]> {
  const place = { cwd: homedir(), roots: [homedir()] }
  const presenter = ctx.tools.forSession(undefined)
  const view = await SessionView.open({ ...client, sessionId: SESSION_ID, place, presenter }, 'live')
  const events: LoggedEvent[] = []
  let calls = 0
  await runTurn({
    tools: {
      execute: async ({ callId, onStart, onProgress }) => {
        onStart?.()
        onProgress?.({ output: 'a\n' })
        return { callId, content: [text('a')], isError: false }
      },
      presentCall: (name, args) => presenter.presentCall(name, args),
    },
    driver: oneByOne(sampleCalls(presenter)),
    agent: { sessionId: SESSION_ID, ...place },
    prompt: [text('a')],
    turnId: 'turn-1',
    signal,
    emit: async event => {
      await nextTask()
      events.push(Object.assign({ at: Date.now() }, event))
      await view.push(event)
    },
    nextCallId: () => `call-${++calls}`,
  })
  view.close()
  return events
}

function oneByOne(calls: ReturnType<typeof sampleCalls>): Driver {
  return {
    async *run() {
      yield { type: 'text', messageId: 'message-1', text: 'a' }
      for (const call of calls) yield { type: 'calls', calls: [{ ...call, origin: 'model' }] }
      return 'end_turn'
    },
  }
}

/** Loads a session with these events, as a client's request does. */
async function load(
  ctx: Context,
  { profile, send, log }: Client,
  events: LoggedEvent[],
  signal: AbortSignal,
): Promise<void> {
  const cwd = homedir()
  const header = { type: 'session' as const, version: 1 as const, id: SESSION_ID, cwd, roots: [cwd] }
  const sessions = new SessionTable({
    ctx,
    store: new MemoryStore({ ...header, created: new Date().toISOString() }, events),
    driver: () => oneByOne([]),
    warmUp: { sessionLoading() {}, sessionOpened() {}, stop() {} },
    client: () => ({ profile, send, log }),
  })
  try {
    await sessions.load(SESSION_ID, { cwd }, 'replay', signal)
    void sessions.get(SESSION_ID).options.settings
  } finally {
    await sessions.closeAll()
  }
}
