import { ToolArgsError } from '../../registry/index.js'
import { MAX_TIMEOUT_MS } from './outcome.js'

/** A card holds the whole command, and so does a question about it. */
const MAX_COMMAND_BYTES = 256 * 1024

/** Throws INVALID_ARGS for what types cannot say. */
export function checkLimits({ command, timeout_ms: timeoutMs }: Record<string, unknown>): void {
  const violations: string[] = []
  if (typeof command === 'string') {
    const bytes = Buffer.byteLength(command)
    if (bytes > MAX_COMMAND_BYTES) {
      violations.push(`command: expected at most ${MAX_COMMAND_BYTES} bytes, got ${bytes}; write a script and run that`)
    }
    if (command.includes('\0'))
      violations.push('command: expected text without NUL characters, which no shell can take')
  }
  if (typeof timeoutMs === 'number' && (timeoutMs < 1 || timeoutMs > MAX_TIMEOUT_MS)) {
    violations.push(`timeout_ms: expected 1 to ${MAX_TIMEOUT_MS}, got ${timeoutMs}`)
  }
  if (violations.length > 0) throw new ToolArgsError('bash', violations)
}
