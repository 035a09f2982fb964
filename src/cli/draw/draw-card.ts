import { foldTerminal } from '../../cards/index.js'
import type { ClientCard } from '../fold/client-card.js'
import { drawDiff } from './draw-diff.js'
import { fitLine, WIDTH } from './fit-line.js'
import { type Line, type Style, span } from './styled.js'
import { wrapText } from './wrap-text.js'

const MAX_LINES = 24

/** A finished call as an editor would show it: head, body, locations. */
export function drawCard(card: ClientCard): Line[] {
  const body = [...drawContent(card), ...drawTerminal(card)]
  const shown =
    body.length > MAX_LINES
      ? [...body.slice(0, MAX_LINES), [span(`… ${body.length - MAX_LINES} more lines`, 'dim')]]
      : body
  return [drawHead(card), ...shown.map((line): Line => [span('│ ', 'dim'), ...line]), drawFoot(card)]
}

function drawHead(card: ClientCard): Line {
  const title = card.title.replaceAll('\n', ' ⏎ ')
  const left = fitLine(`${card.kind === 'execute' ? '$ ' : ''}${title}`, WIDTH - 24)
  const gap = Math.max(2, WIDTH - 4 - card.kind.length - left.length - card.status.length)
  return [
    span('╭─ ', 'dim'),
    span(card.kind, 'accent'),
    span(' '),
    span(left, 'bold'),
    span(` ${'─'.repeat(gap)} `, 'dim'),
    span(card.status, statusStyle(card.status)),
  ]
}

function statusStyle(status: string): Style {
  if (status === 'completed') return 'ok'
  return status === 'failed' ? 'fail' : 'running'
}

function drawContent(card: ClientCard): Line[] {
  let diffs = 0
  return card.content.flatMap((entry): Line[] => {
    switch (entry.type) {
      case 'diff':
        return drawDiff(entry, card.hunkLines[diffs++])
      case 'content':
        return typeof entry.content.text === 'string'
          ? drawMarkdown(entry.content.text)
          : [[span(`[${entry.content.type}]`, 'dim')]]
      default:
        return []
    }
  })
}

function drawTerminal({ terminal }: ClientCard): Line[] {
  return terminal?.output ? drawText(foldTerminal(terminal.output)) : []
}

// Clients read text as Markdown: a fence is not seen, what stands in it keeps its lines, and all else is wrapped.
function drawMarkdown(text: string): Line[] {
  const fenced = /^(`{3,})[^`\n]*\n([\s\S]*?)\n?\1\s*$/.exec(text)?.[2]
  return fenced === undefined ? drawText(text, wrapText) : drawText(fenced)
}

function drawText(text: string, toLines = (line: string) => [fitLine(line)]): Line[] {
  const lines = text.replace(/\n$/, '').split('\n')
  return lines.flatMap(line => toLines(line).map((part): Line => [span(part)]))
}

function drawFoot({ terminal, locations }: ClientCard): Line {
  const exit = terminal?.exit
  const foot: Line = [span('╰─', 'dim')]
  if (exit?.signal) return [...foot, span(` ended by ${exit.signal}`, 'fail')]
  if (exit?.exit_code !== undefined) {
    return [...foot, span(` exit ${exit.exit_code}`, exit.exit_code === 0 ? 'ok' : 'fail')]
  }
  return [...foot, ...locations.map(({ path, line }) => span(` ${line ? `${path}:${line}` : path}`, 'dim'))]
}
