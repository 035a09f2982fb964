import type { Finding } from '../../bridge/index.js'
import { headAndTail } from '../../cards/index.js'
import { drawCard } from '../draw/draw-card.js'
import { drawPlan } from '../draw/draw-plan.js'
import { drawPrompt } from '../draw/draw-prompt.js'
import { fitLine } from '../draw/fit-line.js'
import { type Line, span } from '../draw/styled.js'
import { wrapText } from '../draw/wrap-text.js'
import type { ClientCard } from '../fold/client-card.js'
import type { ClientTerminal } from '../fold/client-terminal.js'
import type { Question, ViewEntry } from './entry.js'
import type { Summary } from './summary.js'

const MAX_TEXT_LINES = 60
const MAX_TEXT_BYTES = 192 * 1024
const MAX_BLOCKS = 100

/** One entry of a thread for a terminal, with its findings. */
export function drawEntry(entry: ViewEntry): Line[] {
  const findings = [...entry.frames.findings(), ...entry.elsewhere]
  return [...drawBody(entry), ...entry.questions.flatMap(drawQuestion), ...findings.map(drawFinding)]
}

/** The counts, as the last lines. */
export function drawSummary({ messages, calls, findingCount }: Summary): Line[] {
  const statuses = [...calls].filter(([, count]) => count > 0).map(([status, count]) => `${count} ${status}`)
  const counts = `${messages.in + messages.out} messages; calls: ${statuses.join(', ') || 'none'}. `
  const found = findingCount === 0 ? 'No findings.' : `${findingCount} finding${findingCount === 1 ? '' : 's'}.`
  return [[], [span(counts), span(found, findingCount === 0 ? 'ok' : 'fail')]]
}

function drawBody({ body, terminals }: ViewEntry): Line[] {
  switch (body.type) {
    case 'user':
      return drawPrompt(
        [headAndTail(body.text, MAX_TEXT_BYTES), ...body.blocks.slice(0, MAX_BLOCKS).map(({ type }) => `[${type}]`)]
          .join('\n')
          .trim(),
      )
    case 'message':
    case 'thought':
      return drawText(body.text, body.type === 'thought')
    case 'call':
      return drawCard(withTerminal(body.card, terminals))
    case 'plan':
      return drawPlan(body.entries.slice(0, MAX_BLOCKS))
    case 'note':
      return [[span(headAndTail(body.text, MAX_TEXT_BYTES), body.isError ? 'fail' : 'dim')]]
    case 'broken':
    case 'protocol':
    case 'question':
      return []
  }
}

function drawText(text: string, isThought: boolean): Line[] {
  const lines = headAndTail(text, MAX_TEXT_BYTES)
    .trimEnd()
    .split('\n')
    .flatMap(line => wrapText(line))
  const shown = lines.slice(0, MAX_TEXT_LINES).map((line): Line => [span(line, isThought ? 'dim' : 'plain')])
  return lines.length > shown.length ? [...shown, [span(`… ${lines.length - shown.length} more lines`, 'dim')]] : shown
}

function withTerminal(card: ClientCard, terminals: ReadonlyMap<string, ClientTerminal>): ClientCard {
  const named = card.content.find(item => item.type === 'terminal')
  const terminal = card.terminal ?? (named ? terminals.get(named.terminalId) : undefined)
  return terminal ? { ...card, terminal } : card
}

function drawQuestion({ text, options, answer }: Question): Line[] {
  const names = options.map(({ name }) => name).join(' | ')
  return [
    [span('? ', 'accent'), span(fitLine(text.replaceAll('\n', ' ⏎ '))), span(names === '' ? '' : ` [${names}]`, 'dim')],
    [span(`  ${answer ? answer.text.replaceAll('\n', ', ') : 'no answer'}`, 'bold')],
  ]
}

function drawFinding({ rule, text, line }: Finding & { line: number }): Line {
  return [span(`✗ line ${line}: rule ${rule}: ${text}`, 'fail')]
}
