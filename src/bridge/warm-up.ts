import type { Context } from 'cordis'
import type { Driver, ModelSelector } from '../agent/index.js'
import { settledWithin } from '../registry/index.js'
import { loadMessageSchemas } from './connect/message-schemas.js'
import type { HostLog } from './connect/serve-agent.js'
import { rehearse } from './rehearse.js'
import type { ClientProfile } from './render/profile.js'

/** After the first answer, so that it and a first session's do not wait. */
const REHEARSAL_DELAY_MS = 50
/** A pause after the first session's response, in which nobody has typed a prompt yet. */
const SESSION_DELAY_MS = 30

/** A driver of a plugin may not hear the signal. */
const CLOSE_LIMIT_MS = 1000

export interface WarmUpOptions {
  ctx: Context
  /** Resolves when the tools stand. */
  ready: () => Promise<void>
  profile: () => ClientProfile
  /** Makes the driver, if there is none yet. */
  driver: () => Driver
  models: ModelSelector
  /** Called once, before anything of it runs; at the latest by the first prompt. */
  onBegin?: (() => void) | undefined
  log: HostLog
}

/**
 * Loads and runs what the first prompt will need while nobody waits: what needs no session soon after the agent's start, the
 * rest once there is one. Ends at the first prompt.
 */
export class WarmUp {
  readonly #options: WarmUpOptions
  readonly #stop = new AbortController()
  /** Of the rehearsal that runs, or is to. */
  #rehearsing = new AbortController()
  #hasBegun = false
  #hasRehearsed = false
  readonly #rehearsal: NodeJS.Timeout
  #session: NodeJS.Timeout | undefined
  readonly #running = new Set<Promise<void>>()

  constructor(options: WarmUpOptions) {
    this.#options = options
    this.#rehearsal = setTimeout(() => this.#run(this.#rehearse()), REHEARSAL_DELAY_MS).unref()
  }

  /** A session is to be loaded: what runs meanwhile would hold it up, and is made up for once it is open. */
  sessionLoading(): void {
    clearTimeout(this.#rehearsal)
    this.#rehearsing.abort()
  }

  /** The response to a session has left. */
  sessionOpened(roots: readonly string[]): void {
    if (!this.#stop.signal.aborted)
      this.#session ??= setTimeout(() => this.#run(this.#warm(roots)), SESSION_DELAY_MS).unref()
  }

  /** A prompt has come. */
  stop(): void {
    clearTimeout(this.#rehearsal)
    clearTimeout(this.#session)
    this.#rehearsing.abort()
    this.#stop.abort()
    this.#begin()
  }

  /** The agent ends. Resolves when nothing is being loaded any more, which cannot be stopped half way; after a second at most. */
  async close(): Promise<void> {
    this.stop()
    await settledWithin(Promise.all(this.#running), CLOSE_LIMIT_MS)
  }

  #run(work: Promise<void>): void {
    this.#running.add(work)
    void work.finally(() => this.#running.delete(work))
  }

  #begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    this.#options.onBegin?.()
  }

  async #rehearse(): Promise<void> {
    const { ctx, ready, profile, driver, models, log } = this.#options
    const { signal } = this.#rehearsing
    try {
      await ready()
      if (signal.aborted) return
      this.#begin()
      await rehearse(ctx, profile(), signal)
      if (signal.aborted) return
      this.#hasRehearsed = true
      driver()
      await models.offer(undefined, false)
    } catch (error) {
      log('debug', 'The rehearsal failed:', error)
    }
  }

  async #warm(roots: readonly string[]): Promise<void> {
    const { ctx, driver, log } = this.#options
    const { signal } = this.#stop
    this.#begin()
    try {
      await loadMessageSchemas()
      const onFailure = (error: unknown) => log('debug', 'A listener of session/idle failed:', error)
      const idle = signal.aborted ? undefined : ctx.parallel('session/idle', roots).catch(onFailure)
      if (!signal.aborted) await ctx.permissions.warm(signal)
      if (!signal.aborted) await driver().warm?.(signal)
      await idle
    } catch {
      // A driver of a plugin may throw: the first prompt tells what is wrong with it.
    }
    if (signal.aborted || this.#hasRehearsed || !this.#rehearsing.signal.aborted) return
    this.#rehearsing = new AbortController()
    await this.#rehearse()
  }
}
