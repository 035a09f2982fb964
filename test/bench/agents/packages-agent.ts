import { Readable, Writable } from 'node:stream'
import { agent, methods, ndJsonStream, type SessionUpdate } from '@agentclientprotocol/sdk'
import { AgentWork } from './agent-work.js'
import { packagesModel } from './packages-model.js'

/**
 * The floor's work behind the packages that an agent stands on, used as they come: the SDK of the protocol for messages, a
 * provider's package for the model.
 */

const { BENCH_MODEL: modelUrl = '', BENCH_STORE: store = '' } = process.env
const { session } = methods.agent

const notify = (sessionId: string, update: SessionUpdate) =>
  connection.client.notify(methods.client.session.update, { sessionId, update })

const wire = {
  send: (sessionId: string, update: SessionUpdate) => {
    void notify(sessionId, update)
    return `${JSON.stringify(update)}\n`
  },
  replay: async (sessionId: string, kept: Buffer) => {
    for (const line of kept.toString('utf8').split('\n')) if (line) await notify(sessionId, JSON.parse(line))
  },
}
const work = new AgentWork(store, wire, packagesModel(modelUrl))

const connection = agent({ name: 'packages' })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }))
  .onRequest(session.new, ({ params }) => ({ sessionId: work.create(params.cwd) }))
  .onRequest(session.load, async ({ params }) => {
    await work.load(params.sessionId, params.cwd)
    return {}
  })
  .onRequest(session.prompt, async ({ params: { sessionId, prompt } }) => {
    const [first] = prompt
    return { stopReason: await work.prompt(sessionId, first?.type === 'text' ? first.text : '') }
  })
  .onNotification(session.cancel, ({ params }) => work.cancel(params.sessionId))
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))
void connection.closed.then(() => process.exit(0))
