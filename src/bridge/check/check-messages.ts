import type { AnyMessage } from '@agentclientprotocol/sdk'
import type { Finding } from './check-frame.js'
import { WireChecker } from './checker.js'

/** An observer of the wire that checks each message: findings are logged, or refuse the message that broke a rule. */
export function checkMessages(
  mode: 'log' | 'throw',
  log: (level: 'warn', ...parts: unknown[]) => void,
): (direction: 'in' | 'out', message: AnyMessage) => void {
  const checker = new WireChecker()
  return (dir, msg) => {
    const findings = checker.check({ dir, msg })
    if (findings.length === 0) return
    const text = findings.map(toLine).join('; ')
    if (mode === 'throw' && dir === 'out') throw new Error(text)
    log('warn', dir === 'in' ? `from the client: ${text}` : text)
  }
}

function toLine({ rule, text, sessionId, toolCallId }: Finding): string {
  return `wire rule ${rule}: ${text}${toolCallId ? ` (call ${toolCallId})` : ''}${sessionId ? ` (session ${sessionId})` : ''}`
}
