import { headAndTail } from '../../../cards/index.js'
import type { ClientTerminal } from '../../fold/client-terminal.js'
import { ansiToHtml } from './ansi.js'
import { type Html, html } from './html.js'

const MAX_OUTPUT_BYTES = 192 * 1024

/** A terminal with its colours, where it ran, and how it ended. */
export function terminalHtml({ cwd, output, exit }: ClientTerminal): Html {
  const screen = ansiToHtml(headAndTail(output, MAX_OUTPUT_BYTES))
  return html`<div class="terminal">${cwd === undefined ? undefined : html`<p class="path">${cwd}</p>`}
<pre tabindex="0" role="region" aria-label="Terminal output">${screen}</pre>${exitHtml(exit)}</div>
`
}

function exitHtml(exit: ClientTerminal['exit']): Html | undefined {
  if (!exit) return html`<p class="exit">no exit status</p>`
  if (exit.signal !== undefined) return html`<p class="exit bad">ended by ${exit.signal}</p>`
  if (exit.exit_code === undefined) return html`<p class="exit">ended without an exit code</p>`
  return html`<p class="exit ${exit.exit_code === 0 ? 'good' : 'bad'}">exit ${exit.exit_code}</p>`
}
