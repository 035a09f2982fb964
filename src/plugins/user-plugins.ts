import type { Context } from 'cordis'
import { HarnessError, oneLine } from '../cards/index.js'
import { checkConfig } from './check-config.js'
import { findEntry, type PluginPlace } from './find-entry.js'
import { describeThrown, importModule, isPlainFault } from './import-module.js'
import { type InstalledPlugin, installPlugin } from './install-plugin.js'
import { type PluginParts, readModule } from './read-module.js'
import { type PluginReport, toReloadText } from './report.js'
import { within } from './within.js'

declare module 'cordis' {
  interface Events {
    /** The user wants everything that comes from outside anew. Listeners are awaited; `tell` adds a line to the answer. */
    'deckhand/reload'(tell: (line: string) => void): void | Promise<void>
  }
}

/** An entry of the config's list: a package's name or a path, and settings for it. */
export interface PluginSource {
  readonly source: string
  readonly config?: unknown
}

export interface UserPluginsOptions extends PluginPlace {
  readonly ctx: Context
  /** In the order in which they start. */
  readonly sources: readonly PluginSource[]
  /** The list as it is now, for a reload; throws an Error for the user if it cannot be read. Default: it does not change. */
  readonly reread?: () => Promise<readonly PluginSource[]>
  readonly log: (level: 'error' | 'warn' | 'info', ...parts: unknown[]) => void
  /** For an import, a start and an end each. Default 10,000. */
  readonly limitMs?: number
  /** How long a plugin may keep those behind it in the list waiting. Default 2,000. */
  readonly orderMs?: number
}

const LIMIT_MS = 10_000
const ORDER_MS = 2000
const MAX_LOGGED_CHARS = 1000

interface Imported {
  label: string
  parts: PluginParts
  config: unknown
}

interface Loaded {
  report: PluginReport
  plugin?: InstalledPlugin
}

/** The plugins of the user's config and command line. None of them can keep another, or a session, from starting. */
export class UserPlugins {
  readonly #options: UserPluginsOptions
  #loaded: Loaded[] = []
  #loads = 0
  #first: Promise<void> | undefined
  #work: Promise<unknown> = Promise.resolve()

  constructor(options: UserPluginsOptions) {
    this.#options = options
  }

  /** What has become of each so far, in the order of the list. */
  get reports(): readonly PluginReport[] {
    return this.#loaded.map(({ report, plugin }) => {
      const missing = plugin?.missing() ?? []
      if (missing.length === 0) return report
      return { ...report, problems: [...report.problems, `it needs ${missing.join(' and ')}, which nothing provides`] }
    })
  }

  /** Loads them, once; settles when each is started or given up. Never rejects. */
  load(): Promise<void> {
    const { sources } = this.#options
    this.#first ??= this.#alone(() => this.#start(sources, this.#importAll(sources)))
    return this.#first
  }

  /** Ends them all and loads the list as it is now, from the disk as it is now. Resolves to lines for the user; never rejects. */
  async reload(): Promise<string> {
    void this.load()
    return this.#alone(async () => {
      const { reread, sources, orderMs = ORDER_MS } = this.#options
      let list: readonly PluginSource[]
      try {
        list = (await reread?.()) ?? sources
      } catch (error) {
        return `Nothing was reloaded: ${describeThrown(error)}`
      }
      this.#loads++
      const imports = this.#importAll(list)
      // A gate among them is gone no longer than it takes to start the new one.
      const patience = delay(orderMs)
      await Promise.race([Promise.all(imports), patience.over])
      patience.cancel()
      const unended = await this.#end()
      await this.#start(list, imports)
      return [toReloadText(this.reports, unended), ...(await this.#tellOthers())].join('\n')
    })
  }

  /** Ends them all. */
  async close(): Promise<void> {
    await this.#alone(() => this.#end())
  }

  #importAll(sources: readonly PluginSource[]): Promise<Settled<Imported>>[] {
    const { limitMs = LIMIT_MS } = this.#options
    return sources.map(source => settled(within(this.#import(source), limitMs, 'its import has not ended')))
  }

  /** Starts them in their order, unless one keeps the others waiting. */
  async #start(sources: readonly PluginSource[], imports: readonly Promise<Settled<Imported>>[]): Promise<void> {
    const { orderMs = ORDER_MS } = this.#options
    const loaded = sources.map(
      ({ source }): Loaded => ({ report: { source, label: source, state: 'loading', tools: [], problems: [] } }),
    )
    this.#loaded = loaded
    const patience = delay(orderMs)
    const starts: Promise<void>[] = []
    for (const [index, imported] of imports.entries()) {
      await Promise.race([Promise.all([imported, ...starts]), patience.over])
      starts.push(imported.then(found => this.#install(loaded[index]!, found)))
    }
    await Promise.all(starts)
    patience.cancel()
  }

  async #import({ source, config }: PluginSource): Promise<Imported> {
    const entry = await findEntry(source, this.#options)
    const parts = readModule(await importModule(entry, this.#loads))
    const label = parts.name ?? entry.packageName ?? source
    return { label, parts, config: await checkConfig(parts.schema, config ?? {}) }
  }

  async #install(loaded: Loaded, found: Settled<Imported>): Promise<void> {
    const { ctx, log, limitMs = LIMIT_MS } = this.#options
    const { source } = loaded.report
    try {
      if ('error' in found) throw found.error
      const { label, parts, config } = found.value
      loaded.report = { ...loaded.report, label }
      loaded.plugin = await installPlugin(ctx, label, parts, config, limitMs)
      const { tools, problems } = loaded.plugin
      loaded.report = { source, label, state: 'loaded', tools, problems }
      for (const problem of problems) log('error', `The plugin ${label}: ${problem}`)
    } catch (error) {
      loaded.report = { ...loaded.report, state: 'failed', problems: [describeThrown(error)] }
      log('error', '%s', `The plugin ${source} could not be loaded:`, toLogged(error))
    }
  }

  /** The lines of those who renew something else on this occasion. */
  async #tellOthers(): Promise<string[]> {
    const { ctx, log, limitMs = LIMIT_MS } = this.#options
    const lines: string[] = []
    const told = ctx.parallel('deckhand/reload', line => lines.push(line))
    await within(told, limitMs, 'it has not ended').catch(error =>
      log('warn', 'A listener of deckhand/reload failed:', error),
    )
    return [...lines]
  }

  /** The names of those that did not end in time. */
  async #end(): Promise<string[]> {
    const { limitMs = LIMIT_MS, log } = this.#options
    const ended = this.#loaded
    this.#loaded = []
    const late = await Promise.all(
      ended.map(async ({ report, plugin }) => ((await plugin?.dispose(limitMs)) === false ? [report.label] : [])),
    )
    for (const label of late.flat()) log('error', `The plugin ${label} did not end in time.`)
    return late.flat()
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#work.then(work)
    this.#work = run.catch(() => {})
    return run
  }
}

/** A stack is for what a plugin's own code threw: of a file that is missing or cannot be read, the reason says all. */
function toLogged(error: unknown): unknown {
  const cause = error instanceof HarnessError ? error.cause : error
  return cause === undefined || isPlainFault(cause) ? oneLine(describeThrown(error), MAX_LOGGED_CHARS) : cause
}

type Settled<T> = { value: T } | { error: unknown }

/** Listened to at once: a failure that comes while another is waited for is not unhandled. */
function settled<T>(promise: Promise<T>): Promise<Settled<T>> {
  return promise.then(
    value => ({ value }),
    error => ({ error }),
  )
}

function delay(ms: number): { over: Promise<void>; cancel(): void } {
  let cancel!: () => void
  const over = new Promise<void>(resolve => {
    const timer = setTimeout(resolve, ms)
    cancel = () => clearTimeout(timer)
  })
  return { over, cancel }
}
