import { AgentWork } from './agent-work.js'
import { floorModel } from './floor-model.js'

/**
 * The floor: the work with bare calls of Node alone, its messages too. With BENCH_MODEL it asks the model for each step, as
 * a real agent must.
 */

// biome-ignore lint/suspicious/noExplicitAny: the floor checks nothing.
type Message = any

const { BENCH_MODEL: modelUrl, BENCH_STORE: store = '' } = process.env

function send(message: object): string {
  const line = `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
  process.stdout.write(line)
  return line
}

const wire = {
  send: (sessionId: string, update: object) => send({ method: 'session/update', params: { sessionId, update } }),
  replay: async (_: string, kept: Buffer) => {
    process.stdout.write(kept)
  },
}
const work = new AgentWork(store, wire, modelUrl ? floorModel(modelUrl) : undefined)

async function handle({ id, method, params }: Message): Promise<void> {
  switch (method) {
    case 'initialize':
      send({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } })
      return
    case 'session/new':
      send({ id, result: { sessionId: work.create(params.cwd) } })
      return
    case 'session/load':
      await work.load(params.sessionId, params.cwd)
      send({ id, result: {} })
      return
    case 'session/prompt':
      send({ id, result: { stopReason: await work.prompt(params.sessionId, params.prompt[0].text) } })
      return
    case 'session/cancel':
      work.cancel(params.sessionId)
      return
    default:
      if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } })
  }
}

let rest = ''
process.stdin.setEncoding('utf8').on('data', chunk => {
  rest += chunk
  for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
    const line = rest.slice(0, end)
    rest = rest.slice(end + 1)
    if (line) void handle(JSON.parse(line))
  }
})
process.stdin.once('end', () => process.exit(0))
