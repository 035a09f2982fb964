import type { CardContent } from '../../fold/card-content.js'
import type { ClientCard } from '../../fold/client-card.js'
import type { ClientTerminal } from '../../fold/client-terminal.js'
import type { ViewEntry } from '../entry.js'
import { valueText } from '../frame-text.js'
import { contentHtml, leftOut } from './content-html.js'
import { diffHtml, lineShift } from './diff-html.js'
import { type Html, html } from './html.js'
import { kindIcon } from './kind-icon.js'
import { terminalHtml } from './terminal-html.js'

const MAX_ITEMS = 100
const MAX_LOCATIONS = 100

const KNOWN_STATUSES = new Set(['pending', 'in_progress', 'completed', 'failed'])

/** A tool call as an editor shows it. */
export function cardHtml(card: ClientCard, { anchor, terminals, continues }: ViewEntry): Html {
  return html`<div class="card">
${headHtml(card, anchor)}
${continues === undefined ? undefined : html`<p class="dim">Further messages about <a href="#${continues}">a call above</a>.</p>`}
${bodyHtml(card, terminals)}
${locationsHtml(card)}
${rawHtml('Input', card.rawInput)}${rawHtml('Raw output', card.rawOutput)}
</div>
`
}

function headHtml({ kind, title, status, name }: ClientCard, anchor: string): Html {
  const tone = KNOWN_STATUSES.has(status) ? status : 'pending'
  return html`<div class="card-head">${kindIcon(kind)}<span class="kind">${kind}</span>
<h2 class="title" id="${anchor}-title">${title || name || 'untitled call'}</h2>
<span class="status ${tone}">${status === 'in_progress' ? 'in progress' : status}</span></div>`
}

function bodyHtml(card: ClientCard, terminals: ReadonlyMap<string, ClientTerminal>): Html[] {
  const items = withPlaces(card)
    .slice(0, MAX_ITEMS)
    .map(([item, place]) => itemHtml(item, place, card.terminal, terminals))
  const hasTerminal = card.content.some(item => item.type === 'terminal')
  // Output that no content names is still what the call wrote.
  if (card.terminal && !hasTerminal) items.push(terminalHtml(card.terminal))
  if (card.content.length > MAX_ITEMS) items.push(leftOut(`${card.content.length - MAX_ITEMS} more blocks`))
  return items
}

function itemHtml(
  item: CardContent,
  { firstChange, shift }: DiffPlace,
  own: ClientTerminal | undefined,
  terminals: ReadonlyMap<string, ClientTerminal>,
): Html {
  if (item.type === 'diff') return diffHtml(item, firstChange, shift)
  if (item.type === 'content') return contentHtml(item.content)
  if (item.type === 'unknown') return html`<pre class="text">${valueText(item.value)}</pre>`
  const terminal = own ?? terminals.get(item.terminalId)
  return terminal ? terminalHtml(terminal) : leftOut(`terminal ${item.terminalId}, of which nothing is known`)
}

interface DiffPlace {
  firstChange?: number
  shift: number
}

/** Each block with the place of a diff in its file: blocks of one file follow each other. */
function withPlaces({ content, hunkLines }: ClientCard): [CardContent, DiffPlace][] {
  const shifts = new Map<string, number>()
  let diffs = 0
  return content.map(item => {
    if (item.type !== 'diff') return [item, { shift: 0 }]
    const firstChange = hunkLines[diffs++]
    if (firstChange === undefined) return [item, { shift: 0 }]
    const shift = shifts.get(item.path) ?? 0
    shifts.set(item.path, shift + lineShift(item))
    return [item, { firstChange, shift }]
  })
}

function locationsHtml({ locations }: ClientCard): Html | undefined {
  if (locations.length === 0) return undefined
  const items = locations
    .slice(0, MAX_LOCATIONS)
    .map(({ path, line }) => html`<li>${line === undefined ? path : `${path}:${line}`}</li>`)
  const more = locations.length - items.length
  return html`<ul class="locations" aria-label="Locations">${items}${more > 0 ? html`<li>and ${more} more</li>` : undefined}</ul>`
}

function rawHtml(label: string, value: unknown): Html | undefined {
  if (value === undefined) return undefined
  return html`<details class="raw"><summary>${label}</summary><pre tabindex="0">${valueText(value)}</pre></details>`
}
