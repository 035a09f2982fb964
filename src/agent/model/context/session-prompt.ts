import type { SystemPrompt, ToolSchema } from '../../../registry/index.js'
import type { History } from '../../../session/index.js'
import type { DriverTurn } from '../../driver.js'

interface Assembled {
  system: string
  tools: ToolSchema[]
}

/**
 * The system prompt of one session. It stays word for word the same, so that a provider's cache holds, until the cache is
 * lost anyway: other directories, other tools, a shorter history.
 */
export class SessionPrompt {
  #key = ''
  #assembled: Promise<Assembled> | undefined

  constructor(private readonly systemPrompt: Pick<SystemPrompt, 'assemble'>) {}

  assemble(agent: DriverTurn['agent'], history: History, toolsVersion: string): Promise<Assembled> {
    const key = JSON.stringify([agent.cwd, agent.roots, history.generation, toolsVersion])
    if (this.#assembled === undefined || key !== this.#key) {
      this.#key = key
      this.#assembled = this.systemPrompt.assemble(agent)
    }
    return this.#assembled
  }
}
