import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { SessionStore } from '../../src/session/index.js'

const program = join(import.meta.dirname, '../../fixtures/session/session-process.mjs')

/** Another process that opens or fills a session of a store; ended after the test. */
export class OtherProcess {
  readonly exited: Promise<void>
  private readonly child: ChildProcess
  private output = ''
  private wake: () => void = () => undefined

  /** `built` is the directory of `useBuiltSources({ store: 'session/store.ts' })`. */
  constructor(built: string, store: SessionStore, id: string, action: 'open' | 'fill') {
    this.child = spawn(process.execPath, [program, join(built, 'store.js'), join(store.directory, '..'), id, action], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.exited = new Promise(resolve =>
      this.child.once('close', () => {
        resolve()
        this.wake()
      }),
    )
    this.child.stdout?.on('data', chunk => {
      this.output += chunk
      this.wake()
    })
    onTestFinished(() => this.end('SIGKILL'))
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  get lines(): string[] {
    return this.output.split('\n').slice(0, -1)
  }

  /** Waits for its first `count` lines, or for its end. */
  async says(count: number): Promise<string[]> {
    while (this.lines.length < count && this.child.exitCode === null && this.child.signalCode === null) {
      await new Promise<void>(resolve => {
        this.wake = resolve
      })
    }
    return this.lines.slice(0, count)
  }

  /** Lets it act; it is ready before. */
  go(): void {
    this.child.stdin?.write('go\n')
  }

  /** Ends it: by end of input, or by a signal. */
  async end(signal?: 'SIGKILL'): Promise<void> {
    if (signal) this.child.kill(signal)
    else this.child.stdin?.end()
    await this.exited
  }
}
