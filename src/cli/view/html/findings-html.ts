import type { Finding } from '../../../bridge/index.js'
import type { Summary } from '../summary.js'
import { type Html, html } from './html.js'

/** What the checker says of one message. */
export function findingItems(findings: readonly Finding[]): Html | undefined {
  if (findings.length === 0) return undefined
  return html`<ul class="findings">${findings.map(({ rule, text }) => html`<li>Rule ${rule}: ${text}</li>`)}</ul>`
}

/** Findings of an entry, each with a link to its message. */
export function entryFindings(findings: readonly (Finding & { line: number })[]): Html | undefined {
  if (findings.length === 0) return undefined
  const items = findings.map(
    ({ rule, text, line }) => html`<li>Rule ${rule}: ${text} (<a href="#line-${line}">line ${line}</a>)</li>`,
  )
  return html`<ul class="findings" aria-label="Findings">${items}</ul>`
}

/** All findings, with links to where they stand. */
export function findingList({ findings, findingCount }: Summary): Html | undefined {
  if (findingCount === 0) return undefined
  const items = findings.map(
    ({ rule, text, line, anchor, toolCallId }) =>
      html`<li><a href="#${anchor}">Line ${line}</a>, rule ${rule}: ${text}${toolCallId === undefined ? '' : ` (call ${toolCallId})`}</li>`,
  )
  const more = findingCount - findings.length
  return html`<details class="all-findings" open><summary>${findingCount} ${findingCount === 1 ? 'finding' : 'findings'}</summary>
<ol class="findings">${items}</ol>${more > 0 ? html`<p class="dim">[${more} more: not shown here]</p>` : undefined}</details>
`
}
