import { spawn } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import {
  type ClientCapabilities,
  type ClientConnection,
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
} from '@agentclientprotocol/sdk'
import { loadMessageSchemas } from '../../bridge/connect/index.js'
import type { SessionUpdate } from '../../bridge/index.js'

/** How long the agent may take to end before it is ended. */
const END_LIMIT_MS = 8000

export interface DemoAgent {
  readonly connection: ClientConnection
  /** Settles when the process has ended, however. */
  readonly exited: Promise<void>
  /** Ends stdin and waits for the process. */
  end(): Promise<void>
  /** Asks the process to end at once. */
  stop(): void
}

interface StartOptions {
  /** Behind `acp`. */
  args?: readonly string[]
  /** What the client can do besides showing terminals. */
  capabilities?: ClientCapabilities
  /** Adds what else the client serves. */
  serve?: (app: ReturnType<typeof client>) => void
  /** Ctrl-C in the terminal is the client's alone. */
  ownGroup?: boolean
}

/** Starts this installation's agent on its own stdin and stdout, as an editor does, and introduces itself. */
export async function startAgent(
  cliPath: string,
  stateDir: string,
  onUpdate: (update: SessionUpdate) => void,
  { args = [], capabilities = {}, serve = () => {}, ownGroup = false }: StartOptions = {},
): Promise<DemoAgent> {
  await loadMessageSchemas()
  const child = spawn(process.execPath, [cliPath, 'acp', ...args], {
    env: { ...process.env, DECKHAND_STATE_DIR: stateDir },
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: ownGroup,
    windowsHide: true,
  })
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()))
  // One that has ended takes no more input; `exited` says so.
  child.stdin.on('error', () => {})
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  )
  const app = client({ name: 'deckhand-demo' }).onNotification(methods.client.session.update, ({ params }) =>
    onUpdate(params.update),
  )
  serve(app)
  const connection = app.connect(stream)
  await connection.agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: 'deckhand-demo', version: '1' },
    clientCapabilities: { ...capabilities, _meta: { terminal_output: true } },
  })
  return {
    connection,
    exited,
    end: async () => {
      child.stdin.end()
      const late = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS)
      await exited
      clearTimeout(late)
    },
    stop: () => void child.kill('SIGTERM'),
  }
}
