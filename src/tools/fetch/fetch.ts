import type { Context } from 'cordis'
import { HarnessError, takeFirstBytes, text } from '../../cards/index.js'
import { createFetch } from '../../network/index.js'
import { type ActiveExecution, defineTool, ToolArgsError, type ToolOutput } from '../../registry/index.js'
import { checkType, type PageText, toPageText } from './page-text.js'
import { presentFetchCall, presentFetchResult } from './present.js'
import { type Answer, getPage } from './request.js'
import { findUrlFault, toHost } from './target.js'

export const name = 'fetch'
export const inject = ['tools']

export interface FetchConfig {
  /** Where proxies stand. Default: that of the process. */
  env?: Readonly<Record<string, string | undefined>>
  /** A file of authorities to trust besides the platform's. */
  caFile?: string
  /** Of Deckhand, for the servers. */
  version?: string
  /** For all of a call. Default 20,000. */
  timeoutMs?: number
}

const MIB = 1024 * 1024
const MAX_BYTES = 8 * MIB
/** What a model gets at most: about 25,000 tokens. */
const MAX_TEXT_BYTES = 100 * 1024

/** Registers the tool `fetch`. */
export function apply(ctx: Context, config: FetchConfig = {}): void {
  const { env = process.env, caFile, version, timeoutMs = 20_000 } = config
  const network = { env, ...(caFile === undefined ? {} : { caFile }) }
  const publicFetch = createFetch({ ...network, publicOnly: true })
  const openFetch = createFetch(network)
  const userAgent = version === undefined ? 'deckhand' : `deckhand/${version}`

  const tool = defineTool({
    name: 'fetch',
    description:
      'Get a page of the web and return its text: HTML as Markdown, and Markdown, JSON and other text as they are. Sends no ' +
      'cookies and runs no scripts. Public addresses only. Long pages are cut.',
    parameters: {
      url: { type: 'string', required: true, description: 'The whole URL: https://example.com/page.' },
      max_bytes: {
        type: 'integer',
        description: `How much of the page to read, at most ${MAX_BYTES} bytes. Default: ${MIB}.`,
      },
    },
    async execute({ url: spoken, max_bytes: maxBytes = MIB }, exec) {
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
    },
    presentCall: presentFetchCall,
    presentResult: presentFetchResult,
    effects: ({ url }) => (findUrlFault(url) === undefined ? { network: [toHost(new URL(url))] } : undefined),
    isConcurrencySafe: () => true,
  })
  ctx.tools.register({
    ...tool,
    validate(args) {
      tool.validate?.(args)
      checkLimits(args)
    },
  })
}

/** Throws INVALID_ARGS for what types cannot say. */
function checkLimits({ url, max_bytes: maxBytes }: Record<string, unknown>): void {
  const violations: string[] = []
  const fault = typeof url === 'string' ? findUrlFault(url) : undefined
  if (fault !== undefined) violations.push(fault)
  if (typeof maxBytes === 'number' && (maxBytes < 1 || maxBytes > MAX_BYTES)) {
    violations.push(`max_bytes: expected 1 to ${MAX_BYTES}, got ${maxBytes}`)
  }
  if (violations.length > 0) throw new ToolArgsError('fetch', violations)
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
