import { HarnessError } from '../cards/index.js'

/** Arguments that do not fit a tool's parameters (INVALID_ARGS). The message lists the violations for the model. */
export class ToolArgsError extends HarnessError {
  /** One line each: the path, what was expected, what came. */
  readonly violations: readonly string[]

  constructor(tool: string, violations: readonly string[]) {
    super('INVALID_ARGS', [`Invalid arguments for ${tool}:`, ...violations.map(line => `- ${line}`)].join('\n'))
    this.name = 'ToolArgsError'
    this.violations = violations
  }
}
