import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { WireChecker } from '../../../src/bridge/check/checker.js'
import { toClientProfile } from '../../../src/bridge/render/profile.js'
import { SessionStream } from '../../../src/bridge/sessions/session-stream.js'
import type { SessionEvent } from '../../../src/session/events.js'
import type { InsideWork } from './inside-work.js'

const CALLS = 2000

/** From the events of a session to messages, and the wire rules on these messages. */
export const frames: InsideWork = {
  name: 'frames',
  title: 'Renderer and checker, for each message',
  budgets: [],
  async run() {
    let best = { rendererUs: Number.POSITIVE_INFINITY, checkerUs: Number.POSITIVE_INFINITY }
    for (let row = 0; row < 4; row++) {
      const { updates, rendererUs } = await render()
      const checkerUs = check(updates)
      // The first row warms up.
      if (row > 0)
        best = { rendererUs: Math.min(best.rendererUs, rendererUs), checkerUs: Math.min(best.checkerUs, checkerUs) }
    }
    return best
  },
}

async function render(): Promise<{ updates: SessionUpdate[]; rendererUs: number }> {
  const updates: SessionUpdate[] = []
  const stream = new SessionStream({
    profile: toClientProfile({ _meta: { terminal_output: true } }),
    presenter: {
      presentCall: (_name, args) => ({ card: 'terminal', title: String((args as { command: string }).command) }),
      presentResult: () => ({ card: 'terminal', exitCode: 0 }),
      presentPartial: () => undefined,
    },
    place: { cwd: '/project', roots: ['/project'] },
    windows: false,
    mode: 'live',
    send: async update => void updates.push(update),
  })
  const events = Array.from({ length: CALLS }, (_, n) => toEvents(`c${n}`)).flat()
  const startedAt = performance.now()
  for (const event of events) await stream.push(event)
  await stream.flush()
  return { updates, rendererUs: ((performance.now() - startedAt) * 1000) / updates.length }
}

function check(updates: readonly SessionUpdate[]): number {
  const checker = new WireChecker()
  const message = (method: string, params: object) => ({ jsonrpc: '2.0', method, params })
  const capabilities = { _meta: { terminal_output: true } }
  checker.check({ dir: 'in', msg: { ...message('initialize', { clientCapabilities: capabilities }), id: 0 } })
  checker.check({ dir: 'in', msg: { ...message('session/new', { cwd: '/project' }), id: 1 } })
  checker.check({ dir: 'out', msg: { jsonrpc: '2.0', id: 1, result: { sessionId: 's' } } })
  checker.check({ dir: 'in', msg: { ...message('session/prompt', { sessionId: 's' }), id: 2 } })
  const startedAt = performance.now()
  for (const update of updates) {
    const [finding] = checker.check({ dir: 'out', msg: message('session/update', { sessionId: 's', update }) })
    if (finding) throw new Error(finding.text)
  }
  return ((performance.now() - startedAt) * 1000) / updates.length
}

function toEvents(callId: string): SessionEvent[] {
  return [
    { type: 'tool/call', callId, name: 'run', arguments: { command: `make ${callId}` }, origin: 'model' },
    { type: 'tool/running', callId },
    { type: 'tool/progress', callId, output: 'one\ntwo\n' },
    { type: 'tool/result', callId, content: [{ type: 'text', text: 'one\ntwo\n' }], isError: false },
  ]
}
