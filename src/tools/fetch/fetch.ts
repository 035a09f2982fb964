import type { Context } from 'cordis'
import { defineTool, lateModule, ToolArgsError } from '../../registry/index.js'
import { DEFAULT_BYTES, MAX_BYTES } from './limits.js'
import { presentFetchCall, presentFetchResult } from './present.js'
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

/** Registers the tool `fetch`. */
export function apply(ctx: Context, config: FetchConfig = {}): void {
  const getting = lateModule(async () => (await import('./create-get.js')).createGet(config))
  ctx.on('session/idle', getting.warm)

  const tool = defineTool({
    name: 'fetch',
    description:
      'Get a page of the web and return its text: HTML as Markdown, and Markdown, JSON and other text as they are. Sends no ' +
      'cookies and runs no scripts. Public addresses only. Long pages are cut.',
    parameters: {
      url: { type: 'string', required: true, description: 'The whole URL: https://example.com/page.' },
      max_bytes: {
        type: 'integer',
        description: `How much of the page to read, at most ${MAX_BYTES} bytes. Default: ${DEFAULT_BYTES}.`,
      },
    },
    async execute(args, exec) {
      const getText = await getting.get()
      return getText(args, exec)
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
