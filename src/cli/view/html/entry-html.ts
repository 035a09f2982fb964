import { headAndTail } from '../../../cards/index.js'
import type { FoldedMessage, FoldedPlan } from '../../fold/session-fold.js'
import type { ViewEntry } from '../entry.js'
import { cardHtml } from './card-html.js'
import { contentHtml } from './content-html.js'
import { entryFindings } from './findings-html.js'
import { framesCountHtml, framesHtml } from './frames-html.js'
import { type Html, html } from './html.js'
import { markdownToHtml } from './markdown.js'
import { questionHtml } from './question-html.js'

/** How much of an entry a page still has room for. */
export type EntryDetail = 'whole' | 'without-frames' | 'head'

const MAX_TEXT_BYTES = 192 * 1024
const MAX_BLOCKS = 100

const PLAN_SIGNS = new Map([
  ['completed', '✓'],
  ['in_progress', '▸'],
])

/** One place of the thread: what an editor shows on one side, the messages behind it on the other. */
export function entryHtml(entry: ViewEntry, detail: EntryDetail): Html {
  const { anchor, body, frames, questions } = entry
  const findings = [...frames.findings(), ...entry.elsewhere]
  const label = body.type === 'call' ? html` aria-labelledby="${anchor}-title"` : undefined
  return html`<article class="row row-${body.type}" id="${anchor}"${label}>
<div class="shown"><a class="anchor" href="#${anchor}" aria-label="Link to ${anchor}">#</a>
${detail === 'head' ? headHtml(entry) : shownHtml(entry)}${questions.map(questionHtml)}${entryFindings(findings)}</div>
${detail === 'whole' ? framesHtml(frames) : framesCountHtml(frames)}</article>
`
}

function shownHtml(entry: ViewEntry): Html | undefined {
  const { body } = entry
  switch (body.type) {
    case 'user':
      return html`<div class="bubble"><p class="who">You</p><pre class="text">${headAndTail(body.text, MAX_TEXT_BYTES)}</pre>${blocksHtml(body)}</div>`
    case 'message':
      return html`<div class="agent">${messageHtml(body)}</div>`
    case 'thought':
      return html`<details class="thinking"><summary>Thought</summary>${messageHtml(body)}</details>`
    case 'call':
      return cardHtml(body.card, entry)
    case 'plan':
      return planHtml(body)
    case 'note':
      return html`<p class="note${body.isError ? ' bad' : ''}">${body.text}</p>`
    case 'protocol':
      return html`<p class="note dim">${body.text}</p>`
    case 'broken':
      return html`<p class="note bad">A line that is no message</p><pre class="text">${entry.frames.frames[0]?.text}</pre>`
    case 'question':
      return undefined
  }
}

/** An entry on a page that has no room for its content. */
function headHtml({ body, anchor }: ViewEntry): Html {
  const text = body.type === 'call' ? `${body.card.kind}: ${body.card.title} (${body.card.status})` : body.type
  return html`<p class="note dim" id="${anchor}-title">${text.slice(0, 300)}: content not shown, this page is large</p>`
}

function messageHtml(message: FoldedMessage): Html {
  return html`${message.text === '' ? undefined : markdownToHtml(headAndTail(message.text, MAX_TEXT_BYTES))}${blocksHtml(message)}`
}

function blocksHtml({ blocks }: FoldedMessage): Html[] {
  const shown = blocks.slice(0, MAX_BLOCKS).map(contentHtml)
  const more = blocks.length - shown.length
  return more > 0 ? [...shown, html`<p class="dim">[${more} more blocks: not shown here]</p>`] : shown
}

function planHtml({ entries }: FoldedPlan): Html {
  const items = entries
    .slice(0, 500)
    .map(
      ({ content, status }) =>
        html`<li class="${status === 'completed' ? 'done' : ''}"><span class="sign">${PLAN_SIGNS.get(status) ?? '○'}</span> ${content} <span class="sr">(${status})</span></li>`,
    )
  return html`<div class="card plan-card"><h2 class="title">Plan</h2><ul>${items}</ul></div>`
}
