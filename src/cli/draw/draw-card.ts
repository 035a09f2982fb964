import { cutText, foldTerminal, headAndTail, oneLine } from '../../cards/index.js'
import type { ClientCard } from '../fold/client-card.js'
import { drawDiff } from './draw-diff.js'
import { fitLine, WIDTH } from './fit-line.js'
import { type Line, type Style, span } from './styled.js'
import { wrapText } from './wrap-text.js'

const MAX_LINES = 24
const MAX_BLOCKS = 100
const MAX_LOCATIONS = 100
const MAX_TEXT_BYTES = 192 * 1024
const MAX_WORD_CHARS = 40

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
  const title = cutText(card.title, 2 * WIDTH).replaceAll('\n', ' ⏎ ')
  const kind = oneLine(card.kind, MAX_WORD_CHARS)
  const status = oneLine(card.status, MAX_WORD_CHARS)
  const left = fitLine(`${kind === 'execute' ? '$ ' : ''}${title}`, WIDTH - 24)
  const gap = Math.max(2, WIDTH - 4 - kind.length - left.length - status.length)
  return [
    span('╭─ ', 'dim'),
    span(kind, 'accent'),
    span(' '),
    span(left, 'bold'),
    span(` ${'─'.repeat(gap)} `, 'dim'),
    span(status, statusStyle(status)),
  ]
}

function statusStyle(status: string): Style {
  if (status === 'completed') return 'ok'
  return status === 'failed' ? 'fail' : 'running'
}

function drawContent(card: ClientCard): Line[] {
  let diffs = 0
  return card.content.slice(0, MAX_BLOCKS).flatMap((entry): Line[] => {
    switch (entry.type) {
      case 'diff':
        return drawDiff(entry, card.hunkLines[diffs++])
      case 'content':
        return typeof entry.content.text === 'string'
          ? drawMarkdown(headAndTail(entry.content.text, MAX_TEXT_BYTES))
          : [[span(`[${entry.content.type}]`, 'dim')]]
      default:
        return []
    }
  })
}

function drawTerminal({ terminal }: ClientCard): Line[] {
  return terminal?.output ? drawText(headAndTail(foldTerminal(terminal.output), MAX_TEXT_BYTES)) : []
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
  return [
    ...foot,
    ...locations.slice(0, MAX_LOCATIONS).map(({ path, line }) => span(` ${line ? `${path}:${line}` : path}`, 'dim')),
  ]
}
