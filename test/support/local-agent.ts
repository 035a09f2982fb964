import { mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { type Agent, createAgent, stdioStream } from '../../src/bridge/index.js'
import { readEnvironment, toHostSettings } from '../../src/cli/environment.js'
import { logTo } from '../../src/cli/log-file.js'
import { AgentClient, CLIENTS, type Client } from './agent-client.js'

export interface LocalAgentOptions {
  env?: Record<string, string>
  stateDir?: string
}

/** An agent in this process, set up from files and variables as the built binary is, and driven by the same bytes. */
export class LocalAgent extends AgentClient {
  readonly #input = new PassThrough()
  #agent: Agent | undefined
  #isClosed = false

  constructor(stateDir = mkdtempSync(join(tmpdir(), 'deckhand-state-'))) {
    super(stateDir)
  }

  /** Opens the agent, which then waits for `initialize`. */
  async open({ env = {} }: LocalAgentOptions = {}): Promise<this> {
    const { stateDir } = this
    const facts = {
      cwd: tmpdir(),
      env: { ...process.env, ...env },
      platform: process.platform,
      home: env.HOME ?? homedir(),
      stateDir,
    }
    const environment = await readEnvironment(facts)
    const output = new PassThrough()
    output.on('data', (chunk: Buffer) => this.read(chunk))
    const agent = createAgent({
      ...toHostSettings(environment),
      env: facts.env,
      stream: stdioStream(this.#input, output),
      log: logTo(facts),
      check: 'log',
    })
    this.#agent = agent
    void agent.closed.then(() => {
      this.#isClosed = true
      this.wake()
    })
    return this
  }

  override write(text: string | Uint8Array): void {
    this.#input.write(text)
  }

  protected override whyEnded(): string | undefined {
    return this.#isClosed ? 'the connection is closed' : undefined
  }

  /** Ends the input and waits for the agent. */
  async end(): Promise<void> {
    this.#input.end()
    await this.#agent?.closed
  }

  async dispose(): Promise<void> {
    await this.#agent?.close()
    rmSync(this.stateDir, { recursive: true, force: true })
  }
}

/** Opens an agent for one test, which fails if anything that it writes breaks the protocol. */
export async function startLocalAgent(options: LocalAgentOptions = {}): Promise<LocalAgent> {
  const agent = new LocalAgent(options.stateDir)
  onTestFinished(() => agent.dispose())
  onTestFinished(() => agent.check())
  return agent.open(options)
}

/** Opens an agent for one test and introduces a client to it. */
export async function openLocalAgent(client: Client = 'plain', options: LocalAgentOptions = {}): Promise<LocalAgent> {
  const agent = await startLocalAgent(options)
  await agent.initialize(CLIENTS[client])
  return agent
}

/** One agent for all tests of a suite, to be called in its body; what it is asked for is there when a test runs. */
export function shareLocalAgent(client: Client = 'plain'): () => LocalAgent {
  let agent: LocalAgent
  beforeAll(async () => {
    agent = await new LocalAgent().open()
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
