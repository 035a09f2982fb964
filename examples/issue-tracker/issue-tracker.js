import { defineTool, HarnessError } from 'deckhand'

export const name = 'issue-tracker'
export const inject = ['tools', 'files']

const TIMEOUT_MS = 10_000
const MAX_BYTES = 1024 * 1024
const MAX_TEXT = 20_000

/** @typedef {{ id: number, title: string, state: string, body: string }} Issue */

/**
 * Registers the tool `issue`.
 * @param {import('deckhand').PluginContext} ctx
 * @param {{ url?: string, file?: string }} [config] `url` is where an issue is found as JSON, with `{id}` in it. Without it
 *   `file` of the project holds a list of issues; default: issues.json.
 */
export function apply(ctx, { url, file = 'issues.json' } = {}) {
  ctx.tools.register(
    defineTool({
      name: 'issue',
      description: 'Look up an issue of this project by its number.',
      parameters: { id: { type: 'integer', required: true, description: 'The number.' } },
      async execute({ id }, exec) {
        const issue =
          url === undefined ? await fromFile(ctx.files, file, id, exec) : await fromServer(toUrl(url, id), id, exec)
        const text = `#${id} ${issue.title} (${issue.state})\n\n${issue.body}`
        return {
          content: [{ type: 'text', text: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}\n[cut]` : text }],
          meta: { title: issue.title, state: issue.state },
        }
      },
      presentCall: ({ id }) =>
        id === undefined
          ? undefined
          : {
              card: 'generic',
              title: `Issue #${id}`,
              ...(url === undefined
                ? { kind: 'read', locations: [{ path: file }] }
                : { kind: 'fetch', rawInput: { url: toUrl(url, id) } }),
            },
      // The content of the card is what the model reads; only the title says more now.
      presentResult({ id }, { isError, meta }) {
        if (isError) return undefined
        const { title, state } = /** @type {{ title: string, state: string }} */ (meta)
        return { card: 'generic', title: `#${id} ${title} (${state})` }
      },
      effects: () => (url === undefined ? { reads: [file] } : { network: [new URL(toUrl(url, 0)).hostname] }),
      isConcurrencySafe: () => true,
    }),
  )
}

/**
 * @param {import('deckhand').PluginFiles} files
 * @param {string} file
 * @param {number} id
 * @param {import('deckhand').ActiveExecution} exec
 */
async function fromFile(files, file, id, { agent, signal }) {
  const { text = '' } = await files.read(agent, file, signal)
  const list = parse(text, file)
  const found = Array.isArray(list) ? list.find(entry => entry?.id === id) : undefined
  if (found === undefined) throw new HarnessError('NOT_FOUND', `${file} has no issue ${id}.`)
  return toIssue(found, file)
}

/**
 * @param {string} url
 * @param {number} id
 * @param {import('deckhand').ActiveExecution} exec
 */
async function fromServer(url, id, exec) {
  const signal = AbortSignal.any([exec.signal, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    // A redirect could lead to a host that nobody was asked about.
    const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } })
    if (response.status === 404) throw new HarnessError('NOT_FOUND', `The tracker has no issue ${id}.`)
    if (!response.ok) throw new HarnessError('FETCH_FAILED', `The tracker answers ${response.status}.`)
    return toIssue(parse(await readText(response), url), url)
  } catch (error) {
    exec.signal.throwIfAborted()
    if (error instanceof HarnessError) throw error
    const reason = signal.aborted ? `no answer within ${TIMEOUT_MS} ms` : String(error)
    throw new HarnessError('FETCH_FAILED', `The tracker cannot be reached: ${reason}`, { cause: error })
  }
}

/** @param {Response} response */
async function readText(response) {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MAX_BYTES) throw new HarnessError('TOO_LARGE', 'The answer of the tracker is too large.')
  }
  return text
}

/**
 * @param {string} text
 * @param {string} from
 * @returns {any}
 */
function parse(text, from) {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new HarnessError('FETCH_FAILED', `${from} holds no JSON.`, { cause })
  }
}

/**
 * What comes from outside is taken field by field.
 * @param {any} value
 * @param {string} from
 * @returns {Issue}
 */
function toIssue(value, from) {
  const { id, title, state = 'open', body = '' } = value ?? {}
  if (typeof title !== 'string') throw new HarnessError('FETCH_FAILED', `${from} holds no issue.`)
  return { id: Number(id), title, state: String(state), body: String(body ?? '') }
}

/**
 * @param {string} template
 * @param {number} id
 */
function toUrl(template, id) {
  return template.replaceAll('{id}', String(id))
}
