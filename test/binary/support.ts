import { type ExecFileException, execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { AgentProcess, CLI, type Frame } from '../support/agent-process.js'
import { foldUpdates } from '../support/fold.js'
import { FrameSchema } from '../support/schema.js'

/** What each kind of client declares at initialize. */
export const CLIENTS = {
  plain: {},
  terminal_output: { _meta: { terminal_output: true } },
  terminal_output_delta: { _meta: { terminal_output_delta: true } },
} as const

export type Client = keyof typeof CLIENTS

export const clients = Object.keys(CLIENTS) as Client[]

type AgentOptions = ConstructorParameters<typeof AgentProcess>[0]

/** An agent process that records what it is sent, to be checked against the protocol's schema. */
export class CheckedAgent extends AgentProcess {
  readonly sent: Frame[] = []

  override send(message: object): void {
    this.sent.push({ jsonrpc: '2.0', ...message })
    super.send(message)
  }

  /** Text of the log file. */
  log(): string {
    try {
      return readFileSync(join(this.stateDir, 'deckhand.log'), 'utf8')
    } catch {
      return ''
    }
  }

  /** Fails unless all that came out is the protocol, by its schema and by the rules of the wire. */
  check(): void {
    expect(this.badLines).toEqual([])
    for (const frame of this.frames) {
      expect(frame).toMatchObject({ jsonrpc: '2.0' })
      if (frame.error) expect(frame.error).toMatchObject({ code: expect.any(Number), message: expect.any(String) })
    }
    const schema = new FrameSchema()
    // What a test sends may be wrong on purpose; it says which answer belongs to which method.
    for (const msg of this.sent) schema.errors({ dir: 'in', msg })
    expect(this.frames.flatMap(msg => schema.errors({ dir: 'out', msg }))).toEqual([])
    expect(
      this.log()
        .split('\n')
        .filter(line => / warn wire rule \d|uncaught|unhandled rejection|could not be shown/.test(line)),
    ).toEqual([])
  }
}

/** Starts the built binary for one test, which fails if anything on stdout breaks the protocol. */
export function startAgent(options: AgentOptions = {}): CheckedAgent {
  const stateDir = options.stateDir ?? makeDirectory('state')
  const agent = new CheckedAgent({ ...options, stateDir })
  onTestFinished(async () => {
    await agent.dispose()
  })
  onTestFinished(() => agent.check())
  return agent
}

/** Starts the built binary and introduces a client to it. */
export async function openAgent(client: Client = 'plain', options: AgentOptions = {}): Promise<CheckedAgent> {
  const agent = startAgent(options)
  await agent.initialize(CLIENTS[client])
  return agent
}

/** One agent for all tests of a suite, to be called in its body; what it is asked for is there when a test runs. */
export function shareAgent(client: Client = 'plain'): () => CheckedAgent {
  let agent: CheckedAgent
  beforeAll(async () => {
    agent = new CheckedAgent()
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

/** A directory of this test, without links in its path. */
export function makeDirectory(name = 'project'): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `deckhand-${name}-`)))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

export type Card = Extract<ReturnType<typeof foldUpdates>['entries'][number], { type: 'call' }>

/** The cards that a client shows after these updates, in order. */
export function cards(updates: readonly Frame[]): Card[] {
  return foldUpdates(updates).entries.flatMap(entry => (entry.type === 'call' ? [entry] : []))
}

/** Text of the agent's messages among these updates. */
export function messageText(updates: readonly Frame[]): string {
  return updates
    .filter(update => update.sessionUpdate === 'agent_message_chunk')
    .map(update => update.content.text)
    .join('')
}

/** Text of a card's content, terminals apart. */
export function contentText({ fields }: Card): string {
  return (fields.content as Frame[])
    .map(item => (item.type === 'content' ? item.content.text : `[${item.type}]`))
    .join('\n')
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
