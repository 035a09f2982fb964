import { spawn } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import { type ClientConnection, client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import type { SessionUpdate } from '../../bridge/index.js'

export interface DemoAgent {
  readonly connection: ClientConnection
  /** Ends stdin and waits for the process. */
  end(): Promise<void>
}

/** Starts this installation's agent on its own stdin and stdout, as an editor does, and introduces itself. */
export async function startAgent(
  cliPath: string,
  stateDir: string,
  onUpdate: (update: SessionUpdate) => void,
): Promise<DemoAgent> {
  const child = spawn(process.execPath, [cliPath, 'acp'], {
    env: { ...process.env, DECKHAND_STATE_DIR: stateDir },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  )
  const connection = client({ name: 'deckhand-demo' })
    .onNotification(methods.client.session.update, ({ params }) => onUpdate(params.update))
    .connect(stream)
  await connection.agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: 'deckhand-demo', version: '1' },
    clientCapabilities: { _meta: { terminal_output: true } },
  })
  return {
    connection,
    end: async () => {
      child.stdin.end()
      await exited
    },
  }
}
