import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { AgentClient } from './agent-client.js'

export type { Frame } from './agent-client.js'

export const CLI = resolve(import.meta.dirname, '../../dist/cli.js')

interface Options {
  env?: Record<string, string>
  /** The process's own directory, which is nobody's session. */
  cwd?: string
  stateDir?: string
  args?: string[]
  /** Run instead of the built binary. */
  script?: string
}

/** The built binary, driven as an editor would. */
export class AgentProcess extends AgentClient {
  readonly child: ChildProcess
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  stderr = ''

  constructor({ env = {}, cwd = tmpdir(), stateDir, args = ['acp'], script = CLI }: Options = {}) {
    super(stateDir ?? mkdtempSync(join(tmpdir(), 'deckhand-state-')))
    this.child = spawn(process.execPath, [script, ...args], {
      cwd,
      env: { ...process.env, DECKHAND_CHECK: '1', DECKHAND_STATE_DIR: this.stateDir, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.exited = new Promise(done => this.child.once('exit', (code, signal) => done({ code, signal })))
    this.child.stdin?.on('error', () => {})
    this.child.stderr?.on('data', chunk => {
      this.stderr += chunk
    })
    this.child.stdout?.on('data', (chunk: Buffer) => this.read(chunk))
    this.child.once('exit', () => this.wake())
  }

  override write(text: string | Uint8Array): void {
    this.child.stdin?.write(text)
  }

  protected override whyEnded(): string | undefined {
    return this.child.exitCode === null && this.child.signalCode === null ? undefined : this.stderr.slice(-800)
  }

  /** Ends stdin and waits for the process. */
  async end(): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    this.child.stdin?.end()
    return this.exited
  }

  async dispose(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.exited
    rmSync(this.stateDir, { recursive: true, force: true })
  }
}
