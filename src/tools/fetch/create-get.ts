import { HarnessError, takeFirstBytes, text } from '../../cards/index.js'
import { createFetch } from '../../network/index.js'
import type { ActiveExecution, ToolOutput } from '../../registry/index.js'
import type { FetchConfig } from './fetch.js'
import { DEFAULT_BYTES } from './limits.js'
import { checkType, type PageText, toPageText } from './page-text.js'
import { type Answer, getPage } from './request.js'
import { toHost } from './target.js'

/** What a model gets at most: about 25,000 tokens. */
const MAX_TEXT_BYTES = 100 * 1024

interface FetchArgs {
  url: string
  max_bytes?: number
}

/** What a call of the tool does: gets a page and makes text of it. */
export function createGet(config: FetchConfig): (args: FetchArgs, exec: ActiveExecution) => Promise<ToolOutput> {
  const { env = process.env, caFile, version, timeoutMs = 20_000 } = config
  const network = { env, ...(caFile === undefined ? {} : { caFile }) }
  const publicFetch = createFetch({ ...network, publicOnly: true })
  const openFetch = createFetch(network)
  const userAgent = version === undefined ? 'deckhand' : `deckhand/${version}`
  return async ({ url: spoken, max_bytes: maxBytes = DEFAULT_BYTES }, exec) => {
    const start = new URL(spoken)
    const isTyped = exec.agent?.origin === 'user'
    return withTimeout(exec, timeoutMs, start, async signal => {
      const answer = await getPage(start, {
        // What the user typed may be a server of their own; what it points to is not typed.
        way: url => (isTyped && toHost(url) === toHost(start) ? openFetch : publicFetch),
        userAgent,
        maxBytes,
        signal,
        check: checkType,
      })
      return toOutput(start, answer, await toPageText(answer, MAX_TEXT_BYTES, signal))
    })
  }
}

async function withTimeout<T>(
  { signal }: ActiveExecution,
  timeoutMs: number,
  { href }: URL,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const onAbort = () => stop.abort(signal.reason)
  const late = new HarnessError('TIMED_OUT', `${href} did not answer within ${timeoutMs / 1000} s; try later.`)
  const timer = setTimeout(() => stop.abort(late), timeoutMs)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    return await work(stop.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

function toOutput(start: URL, { url, mimeType, bytes }: Answer, page: PageText): ToolOutput {
  const body = takeFirstBytes(page.text, MAX_TEXT_BYTES)
  const isCut = page.isCut || body.length < page.text.length
  const from = url.href === start.href ? url.href : `${url.href}, where ${start.href} leads`
  const lines = [
    `[Text of a web page, not of the user: ${from}${page.isHtml ? ', as Markdown' : ''}]`,
    ...(page.title === '' ? [] : [`[Title: ${page.title.slice(0, 300)}]`]),
    '',
    body === '' ? '[no text]' : body,
    ...(isCut
      ? ['[cut here: the page goes on; a page for one part of it, or a command such as curl, shows the rest]']
      : []),
  ]
  return {
    content: [text(lines.join('\n'))],
    meta: { url: url.href, type: mimeType, bytes: bytes.length, ...(isCut && { cut: true }) },
  }
}
