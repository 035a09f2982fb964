import type { Question } from '../entry.js'
import { type Html, html } from './html.js'

/** A question to the user, its options, and which was chosen. */
export function questionHtml({ text, options, answer }: Question): Html {
  const items = options.map(({ id, name, kind }) => {
    const isChosen = answer?.optionId !== undefined && answer.optionId === id
    return html`<li class="${isChosen ? 'chosen' : ''}">${isChosen ? '✓ ' : ''}${name} <span class="dim">${kind?.replaceAll('_', ' ')}</span></li>`
  })
  const outcome = answer ? html`Answer: <strong>${answer.text}</strong>` : html`No answer`
  return html`<section class="question" aria-label="Question"><p class="ask">${text}</p><ul>${items}</ul><p class="outcome">${outcome}</p></section>
`
}
