import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AnyMessage,
  type ClientConnection,
  client,
  methods,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type Stream,
} from '@agentclientprotocol/sdk'
import { expect, onTestFinished } from 'vitest'
import type { WireFrame } from '../../src/bridge/check/check-frame.js'
import { WireChecker } from '../../src/bridge/check/checker.js'
import type { Agent } from '../../src/bridge/connect/serve-agent.js'
import { type AgentOptions, createAgent } from '../../src/bridge/create-agent.js'
import { expectValidFrames } from '../support/schema.js'

export interface ConnectedAgent {
  agent: Agent
  connection: ClientConnection
  /** Every message of the connection in its order at the agent. */
  frames: WireFrame[]
  cwd: string
  stateDir: string
  /** Lines for the log file. */
  logged: string[]
  updates(sessionId: string): SessionUpdate[]
  newSession(cwd?: string): Promise<string>
  /** Text of one prompt; resolves to its stop reason. */
  prompt(sessionId: string, text: string): Promise<string>
}

export type ConnectOptions = Partial<AgentOptions> & {
  capabilities?: object
  /** Adds what else the client serves. */
  serve?: (app: ReturnType<typeof client>) => void
  /** The user in front of the client; without it the client does not know the method. */
  answer?: (request: RequestPermissionRequest, signal: AbortSignal) => Promise<RequestPermissionResponse>
}

/** The SDK's client joined to an agent of ours in memory; every frame of it is checked when the test ends. */
export async function connect(options: ConnectOptions = {}): Promise<ConnectedAgent> {
  const { capabilities = { _meta: { terminal_output: true } }, serve, answer, ...agentOptions } = options
  const root = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-bridge-')))
  const stateDir = options.stateDir ?? join(root, 'state')
  const frames: WireFrame[] = []
  const logged: string[] = []
  const [near, far] = pair(frames)
  const agent = createAgent({
    log: (level, ...parts) => logged.push([level, ...parts].map(String).join(' ')),
    check: 'throw',
    ...agentOptions,
    stateDir,
    stream: near,
  })
  const app = client({ name: 'test' }).onNotification(methods.client.session.update, () => {})
  if (answer) {
    app.onRequest(methods.client.session.requestPermission, ({ params, signal }) => answer(params, signal))
  }
  serve?.(app)
  const connection = app.connect(far)
  onTestFinished(async () => {
    connection.close()
    await agent.close()
    await rm(root, { recursive: true, force: true })
  })
  onTestFinished(() => {
    const checker = new WireChecker()
    expect(frames.flatMap(frame => checker.check(frame))).toEqual([])
    expectValidFrames(frames)
  })
  await connection.agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: capabilities })
  return {
    agent,
    connection,
    frames,
    cwd: root,
    stateDir,
    logged,
    updates: sessionId =>
      frames.flatMap(({ msg }) => {
        const { method, params } = msg as { method?: string; params?: { sessionId: string; update: SessionUpdate } }
        return method === 'session/update' && params?.sessionId === sessionId ? [params.update] : []
      }),
    newSession: async (cwd = root) =>
      (await connection.agent.request(methods.agent.session.new, { cwd, mcpServers: [] })).sessionId,
    prompt: async (sessionId, text) => {
      const params = { sessionId, prompt: [{ type: 'text' as const, text }] }
      return (await connection.agent.request<PromptResponse>(methods.agent.session.prompt, params)).stopReason
    },
  }
}

/** Two linked streams; `frames` sees each message as the agent reads or writes it. */
function pair(frames: WireFrame[]): [agent: Stream, client: Stream] {
  const pipe = (dir: 'in' | 'out') =>
    new TransformStream<AnyMessage, AnyMessage>({
      transform(message, controller) {
        frames.push({ dir, msg: JSON.parse(JSON.stringify(message)) })
        controller.enqueue(message)
      },
    })
  const [toAgent, toClient] = [pipe('in'), pipe('out')]
  return [
    { readable: toAgent.readable, writable: toClient.writable },
    { readable: toClient.readable, writable: toAgent.writable },
  ]
}
