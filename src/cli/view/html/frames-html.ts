import { formatBytes } from '../../../cards/index.js'
import type { FrameLog, ShownFrame } from '../frame-log.js'
import { findingItems } from './findings-html.js'
import { type Html, html } from './html.js'

/** The messages of an entry, folded; open where one has a finding. */
export function framesHtml(log: FrameLog): Html {
  if (log.count === 0 || !log.lines) return html`<div class="frames"></div>`
  const { first, last } = log.lines
  const hasFindings = log.frames.some(({ findings }) => findings.length > 0)
  const { count, bytes } = log.leftOut
  const more = count === 0 ? undefined : html`<p class="dim">[${count} more, ${formatBytes(bytes)}: not shown here]</p>`
  return html`<details class="frames"${hasFindings ? html` open` : undefined}><summary>${framesTitle(log, first, last)}</summary>
<ol>${log.frames.map(frameHtml)}</ol>${more}</details>
`
}

/** What stands there when the page has no room for messages any more. */
export function framesCountHtml(log: FrameLog): Html {
  if (!log.lines) return html`<div class="frames"></div>`
  return html`<p class="frames dim">${framesTitle(log, log.lines.first, log.lines.last)}: not shown, this page is large</p>`
}

function framesTitle({ count, bytes }: FrameLog, first: number, last: number): string {
  const lines = first === last ? `line ${first}` : `lines ${first}–${last}`
  return `${count} ${count === 1 ? 'message' : 'messages'}, ${formatBytes(bytes)}, ${lines}`
}

function frameHtml({ line, label, bytes, text, findings }: ShownFrame): Html {
  return html`<li id="line-${line}"${findings.length > 0 ? html` class="faulty"` : undefined}><p class="frame-head">${line}: ${label} <span class="dim">${formatBytes(bytes)}</span></p>
${findingItems(findings)}<pre tabindex="0">${text}</pre></li>
`
}
