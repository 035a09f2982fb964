import { formatBytes } from '../../../cards/index.js'
import type { Summary } from '../summary.js'
import { findingList } from './findings-html.js'
import { Html, html } from './html.js'
import { STYLE } from './style.js'

/** The first bytes of each page: by them a page of ours is known. */
export const PAGE_START = '<!doctype html>\n<!-- deckhand view -->\n'

/** What a page may load: its own style and pictures within it. Nothing runs. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

export interface PageFacts {
  /** What was asked for: a session's title, or the name of a file. */
  title: string
  /** Where it comes from, in a sentence. */
  source: string
  summary: Summary
}

/** All of the page before its thread. */
export function pageStart({ title, source, summary }: PageFacts): string {
  const { messages, bytes, calls, sessionCount } = summary
  const callCount = [...calls.values()].reduce((sum, count) => sum + count, 0)
  const statuses = [...calls].filter(([, count]) => count > 0).map(([status, count]) => `${count} ${status}`)
  const start = html`<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
<title>${title}</title><style>${new Html(STYLE)}</style></head>
<body><a class="skip" href="#thread">To the thread</a>
<header><h1>${title}</h1><p class="dim">${source}</p>
<dl class="summary">
${fact('Messages', `${messages.in + messages.out}`, `${messages.in} in, ${messages.out} out`)}
${fact('Size', formatBytes(bytes), sessionCount > 1 ? `${sessionCount} sessions` : '')}
${fact('Calls', `${callCount}`, statuses.join(', ').replaceAll('in_progress', 'in progress'))}
${fact('Findings', `${summary.findingCount}`, summary.findingCount === 0 ? 'all rules of the wire kept' : '', summary.findingCount > 0)}
${messages.broken === 0 ? undefined : fact('Broken lines', `${messages.broken}`, '', true)}
</dl>
${findingList(summary)}</header>
<main id="thread">
`
  return PAGE_START + start.text
}

/** What closes a page; `leftOut` entries are told of. */
export function pageEnd(leftOut: number): string {
  const more =
    leftOut === 0 ? undefined : html`<p class="note bad">[${leftOut} more entries: left out, this page is large]</p>`
  return html`${more}</main>
</body></html>
`.text
}

/** Where another session begins, on a page with more than one. */
export function sessionHeading(sessionId: string): string {
  return html`<p class="session">Session ${sessionId}</p>
`.text
}

function fact(name: string, value: string, more: string, isBad = false): Html {
  return html`<div${isBad ? html` class="bad"` : undefined}><dt>${name}</dt><dd>${value}</dd><dd class="dim">${more}</dd></div>`
}
