import { HarnessError } from '../cards/index.js'
import type { PresentedBy, ToolDefinition, ToolSchema } from './types.js'

/** A registered tool. */
export interface ToolEntry {
  readonly definition: ToolDefinition
  /** Frozen. */
  readonly schema: ToolSchema
  /** Frozen copy of what the definition has. */
  readonly presentedBy?: PresentedBy
}

interface SessionEntries {
  readonly entries: Map<string, ToolEntry>
  version: number
}

/** The tools by name: those of everybody, and those that one session alone has. */
export class ToolTable {
  readonly #shared = new Map<string, ToolEntry>()
  readonly #sessions = new Map<string, SessionEntries>()
  /** Lists that were made since the last change, by session. */
  readonly #lists = new Map<string | undefined, readonly ToolEntry[]>()
  readonly #shipped = new WeakSet<ToolEntry>()
  #lastVersion = 0
  #sharedVersion = 0

  /** Returns its undo. The name is free: see checkFree. */
  add(entry: ToolEntry, sessionId: string | undefined): () => void {
    const { name } = entry.schema
    this.#entries(sessionId).set(name, entry)
    this.#changed(sessionId)
    return () => {
      this.#entries(sessionId).delete(name)
      this.#changed(sessionId)
    }
  }

  /** Throws DUPLICATE_TOOL if everybody has a tool of this name, or the session. */
  checkFree(name: string, sessionId: string | undefined): void {
    if (this.find(name, sessionId) === undefined) return
    throw new HarnessError('DUPLICATE_TOOL', `A tool named ${name} is registered already.`)
  }

  /** Takes everybody's tools of now for the host's own. */
  markShipped(): void {
    for (const entry of this.#shared.values()) this.#shipped.add(entry)
  }

  isShipped(entry: ToolEntry): boolean {
    return this.#shipped.has(entry)
  }

  /** A tool of everybody wins over one of the session that came before it. */
  find(name: string, sessionId: string | undefined): ToolEntry | undefined {
    return (
      this.#shared.get(name) ?? (sessionId === undefined ? undefined : this.#sessions.get(sessionId)?.entries.get(name))
    )
  }

  /** Those of everybody in the order of registration, then the session's by name: no start order shows in it. */
  list(sessionId: string | undefined): readonly ToolEntry[] {
    const own = sessionId === undefined ? undefined : this.#sessions.get(sessionId)?.entries
    const key = own === undefined ? undefined : sessionId
    const known = this.#lists.get(key)
    if (known) return known
    const others = [...(own?.values() ?? [])].filter(({ schema }) => !this.#shared.has(schema.name))
    others.sort((a, b) => (a.schema.name < b.schema.name ? -1 : 1))
    const list = [...this.#shared.values(), ...others]
    this.#lists.set(key, list)
    return list
  }

  /** Differs between two moments if the tools of the session do. */
  version(sessionId: string | undefined): string {
    const own = sessionId === undefined ? undefined : this.#sessions.get(sessionId)
    return `${this.#sharedVersion}.${own?.version ?? 0}`
  }

  #entries(sessionId: string | undefined): Map<string, ToolEntry> {
    if (sessionId === undefined) return this.#shared
    const known = this.#sessions.get(sessionId)
    if (known) return known.entries
    const entries = new Map<string, ToolEntry>()
    this.#sessions.set(sessionId, { entries, version: 0 })
    return entries
  }

  #changed(sessionId: string | undefined): void {
    this.#lastVersion += 1
    if (sessionId === undefined) {
      this.#sharedVersion = this.#lastVersion
      this.#lists.clear()
      return
    }
    this.#lists.delete(sessionId)
    const session = this.#sessions.get(sessionId)
    if (session?.entries.size === 0) this.#sessions.delete(sessionId)
    else if (session) session.version = this.#lastVersion
  }
}
