import { type Context, Service } from 'cordis'
import { errorMessage } from './failure.js'
import { callerEffect } from './lifecycle.js'
import type { ToolAgent, ToolSchema } from './types.js'

declare module 'cordis' {
  interface Context {
    systemPrompt: SystemPrompt
  }
}

/** For whom a prompt is assembled. */
type PromptAgent = Omit<ToolAgent, 'origin'>

/** A section's text; undefined or blank leaves it out. `agent` is absent when no session asks. */
type RenderSection = (agent?: PromptAgent) => string | undefined | Promise<string | undefined>

/** Schemas of the tools that this session has; of everybody's without one. */
type ToolSource = (sessionId?: string) => ToolSchema[]

/** What a model is told at the start of each request. */
interface AssembledPrompt {
  system: string
  tools: ToolSchema[]
}

interface Section {
  name: string
  order: number
  render: RenderSection
}

interface SystemPromptOptions {
  /** A section that takes longer is left out. Default 5,000. */
  sectionTimeoutMs?: number
}

/** The system prompt: ordered sections of plugins, and the schemas of the tools. */
export class SystemPrompt extends Service {
  private readonly _sections = new Set<Section>()
  private readonly _sources = new Set<ToolSource>()
  // Not a plain number: what is written through a caller's proxy would stay there.
  private readonly _changes = { count: 0 }
  private readonly _sectionTimeoutMs: number

  constructor(ctx: Context, options: SystemPromptOptions = {}) {
    super(ctx, 'systemPrompt')
    this._sectionTimeoutMs = options?.sectionTimeoutMs ?? 5000
  }

  /** Differs between two moments if the sections do. */
  get version(): number {
    return this._changes.count
  }

  /** Adds a section while the calling plugin lives. Lower orders come first; equal ones by name. Returns its disposer. */
  section(name: string, order: number, render: RenderSection): () => void {
    const sections = this._sections
    const changes = this._changes
    const section = { name, order, render }
    return callerEffect(this.ctx, `ctx.systemPrompt.section(${JSON.stringify(name)})`, () => {
      sections.add(section)
      changes.count++
      return () => {
        sections.delete(section)
        changes.count++
      }
    })
  }

  /** With a function, adds a source of schemas while the calling plugin lives; else the schemas that a session has. */
  tools(sessionId?: string): ToolSchema[]
  tools(source: ToolSource): () => void
  tools(given?: string | ToolSource): ToolSchema[] | (() => void) {
    const sources = this._sources
    if (typeof given !== 'function') return [...sources].flatMap(read => read(given))
    // A function of its own, so that two plugins may give the same one.
    const entry: ToolSource = sessionId => given(sessionId)
    return callerEffect(this.ctx, 'ctx.systemPrompt.tools()', () => {
      sources.add(entry)
      return () => sources.delete(entry)
    })
  }

  /** Sections in order, a blank line between them, and the tools. A section that fails or takes too long is left out. */
  async assemble(agent?: PromptAgent): Promise<AssembledPrompt> {
    const sections = [...this._sections].sort((a, b) => a.order - b.order || (a.name < b.name ? -1 : 1))
    const texts = await Promise.all(sections.map(section => this._render(section, agent)))
    return { system: texts.filter(text => text !== '').join('\n\n'), tools: this.tools(agent?.sessionId) }
  }

  private async _render(section: Section, agent: PromptAgent | undefined): Promise<string> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_resolve, reject) => {
      const late = () => reject(new Error(`not there after ${this._sectionTimeoutMs} ms`))
      timer = setTimeout(late, this._sectionTimeoutMs)
    })
    try {
      const rendered: unknown = await Promise.race([section.render(agent), timeout])
      return typeof rendered === 'string' ? rendered.trim() : ''
    } catch (error) {
      this.ctx.logger('system-prompt').warn('%s', `section ${section.name} is left out: ${errorMessage(error)}`)
      return ''
    } finally {
      clearTimeout(timer)
    }
  }
}
