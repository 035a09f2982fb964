import { isDeepStrictEqual } from 'node:util'
import type { SessionConfigOption, SessionModeState, SessionUpdate } from '@agentclientprotocol/sdk'
import type { Context } from 'cordis'
import type { ModelOffer, ModelSelector } from '../../agent/index.js'
import type { Mode } from '../../gates/permission/index.js'
import type { SessionEvent } from '../../session/index.js'
import { type ChosenOptions, fromConfigOption, toConfigOptions } from './config-options.js'
import { fromModeId, toModeState } from './modes.js'
import type { SessionFacts } from './session-facts.js'
import type { SessionView } from './session-view.js'

/** What a client is told of a session's settings when it gets the session. */
export interface SessionSettings {
  modes: SessionModeState
  configOptions: SessionConfigOption[]
}

export interface SessionOptionsContext {
  readonly ctx: Context
  readonly sessionId: string
  readonly facts: SessionFacts
  /** Absent where a driver of the host decides about models. */
  readonly selector: ModelSelector | undefined
  /** The client's view as it is now. */
  view(): SessionView
  isClosed(): boolean
  /** Logs an event and shows it. */
  record(event: SessionEvent): Promise<void>
  warn(...parts: unknown[]): void
}

/** What a client can choose for a session: its mode, its model, and how much that thinks. */
export class SessionOptions {
  #chosenBy: SessionUpdate['sessionUpdate'] | undefined
  #modeRecorded: Promise<void> = Promise.resolve()
  #offer: ModelOffer | undefined

  constructor(private readonly session: SessionOptionsContext) {}

  /** What the client is told. */
  get settings(): SessionSettings {
    const chosen = this.#chosen()
    return { modes: toModeState(chosen.mode), configOptions: toConfigOptions(chosen) }
  }

  /** Takes over what the selector offers; nothing is asked of any endpoint. */
  async learnModels(): Promise<void> {
    this.#offer = await this.#ask(false)
  }

  /** Asks the endpoints for their models, and tells the client if that changes its options. */
  async askForModels(): Promise<void> {
    const offer = await this.#ask(true)
    if (this.session.isClosed() || isDeepStrictEqual(offer, this.#offer)) return
    this.#offer = offer
    this.#send()
  }

  /** Other models may be there than before: tells of those that are known at once, then of those that the endpoints list. */
  async modelsChanged(): Promise<void> {
    if (!this.#offer) {
      await this.learnModels()
      if (this.#offer && !this.session.isClosed()) this.#send()
    }
    await this.askForModels()
  }

  /** The client has set an option; the answer holds all options as they are now. -32602 for what is not on offer. */
  async set(configId: string, value: unknown): Promise<SessionConfigOption[]> {
    const choice = fromConfigOption({ configId, value }, this.#chosen())
    if (typeof choice === 'string') await this.setMode(choice, 'config_option_update')
    else {
      await this.session.record(choice)
      if (choice.model !== undefined) await this.#learnCurrentModel()
    }
    return this.settings.configOptions
  }

  /** The client has chosen a mode, in one of its two faces: it is told of the other. -32602 for one that is none. */
  async setMode(modeId: string, chosenBy: SessionUpdate['sessionUpdate']): Promise<void> {
    const mode = fromModeId(modeId)
    const { ctx, sessionId } = this.session
    this.#chosenBy = chosenBy
    try {
      ctx.permissions.setMode(sessionId, mode)
    } finally {
      this.#chosenBy = undefined
    }
    await this.#modeRecorded
  }

  /** Records the mode that is in force from now on, and tells the client. */
  modeChanged(mode: Mode): void {
    const chosenBy = this.#chosenBy
    const { sessionId } = this.session
    const view = this.session.view()
    this.#modeRecorded = this.session
      .record({ type: 'session/config', mode })
      .catch(error => this.session.warn(`session ${sessionId}: the mode could not be recorded:`, error))
      .then(() => {
        const { configOptions } = this.settings
        const updates: SessionUpdate[] = [
          { sessionUpdate: 'current_mode_update', currentModeId: mode },
          { sessionUpdate: 'config_option_update', configOptions },
        ]
        for (const update of updates) if (update.sessionUpdate !== chosenBy) view.send(update)
      })
  }

  /** The list stays that of the endpoints, which are not asked again. */
  async #learnCurrentModel(): Promise<void> {
    const models = this.#offer?.models
    await this.learnModels()
    if (this.#offer && models) this.#offer = { ...this.#offer, models }
  }

  async #ask(endpoints: boolean): Promise<ModelOffer | undefined> {
    const { selector, facts } = this.session
    return selector?.offer(facts.model, endpoints)
  }

  #send(): void {
    const { configOptions } = this.settings
    this.session.view().send({ sessionUpdate: 'config_option_update', configOptions })
  }

  #chosen(): ChosenOptions {
    const { ctx, sessionId, facts } = this.session
    const { thinkingLevel } = facts
    return {
      mode: ctx.permissions.mode(sessionId),
      ...(this.#offer ? { offer: this.#offer } : {}),
      ...(thinkingLevel === undefined ? {} : { thinkingLevel }),
    }
  }
}
