import { type ExecFileException, execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { CLIENTS, type Client } from '../support/agent-client.js'
import { AgentProcess, CLI } from '../support/agent-process.js'
import { makeDirectory } from '../support/directory.js'

export { type Client, clients } from '../support/agent-client.js'
export { AgentProcess as CheckedAgent } from '../support/agent-process.js'
export { type Card, cards, contentText, messageText } from '../support/cards.js'
export { makeDirectory } from '../support/directory.js'

type AgentOptions = ConstructorParameters<typeof AgentProcess>[0]

/** Starts the built binary for one test, which fails if anything on stdout breaks the protocol. */
export function startAgent(options: AgentOptions = {}): AgentProcess {
  const stateDir = options.stateDir ?? makeDirectory('state')
  const agent = new AgentProcess({ ...options, stateDir })
  onTestFinished(async () => {
    await agent.dispose()
  })
  onTestFinished(() => agent.check())
  return agent
}

/** Starts the built binary and introduces a client to it. */
export async function openAgent(client: Client = 'plain', options: AgentOptions = {}): Promise<AgentProcess> {
  const agent = startAgent(options)
  await agent.initialize(CLIENTS[client])
  return agent
}

/** One agent for all tests of a suite, to be called in its body; what it is asked for is there when a test runs. */
export function shareAgent(client: Client = 'plain'): () => AgentProcess {
  let agent: AgentProcess
  beforeAll(async () => {
    agent = new AgentProcess()
    await agent.initialize(CLIENTS[client])
  })
  afterAll(async () => {
    await agent.end()
    try {
      agent.check()
    } finally {
      await agent.dispose()
    }
  })
  return () => agent
}

interface CommandResult {
  code: number
  stdout: string
  stderr: string
}

interface CommandOptions {
  cwd?: string
  env?: Record<string, string | undefined>
  input?: string
}

/** Runs the built command line to its end. */
export function deckhand(
  args: readonly string[],
  { cwd, env = {}, input = '' }: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise(resolve => {
    const child = execFile(
      process.execPath,
      [CLI, ...args],
      { cwd: cwd ?? tmpdir(), env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error: ExecFileException | null, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr })
      },
    )
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}
