import type { SessionTable } from '../sessions/session-table.js'

/** What stands behind a connection: the sessions, with the registry, the gates and the tools that they use. */
export interface AgentHost {
  readonly sessions: SessionTable
  /** Settles when every plugin has started or failed, or has taken too long. */
  ready(): Promise<void>
  /** Ends the sessions and all that they and the plugins started. */
  close(): Promise<void>
}

/** A host that is made once, when it is first needed: a client's first answer does not wait for it. */
export class LateHost {
  #opening: Promise<AgentHost> | undefined
  #host: AgentHost | undefined
  #closed = false

  /** `onFailure` gets why a host that nobody has asked for yet could not be made. */
  constructor(
    private readonly make: () => Promise<AgentHost>,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** The sessions if there are any: they do not wait for the plugins. */
  get sessions(): SessionTable | undefined {
    return this.#host?.sessions
  }

  /** Begins to make it. */
  start(): void {
    this.open().catch(error => {
      if (!this.#closed) this.onFailure(error)
    })
  }

  /** The sessions, once the plugins stand. Rejects if the host could not be made. */
  async open(): Promise<SessionTable> {
    this.#opening ??= this.make().then(async host => {
      this.#host = host
      if (this.#closed) await host.close()
      return host
    })
    const host = await this.#opening
    await host.ready()
    return host.sessions
  }

  /** One that is still being made is closed once it is there, and not waited for: it has started nothing yet. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#host?.close()
  }
}
