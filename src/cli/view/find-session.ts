import { SessionStore } from '../../bridge/index.js'
import { HarnessError } from '../../cards/index.js'

const SHOWN_MATCHES = 5

/** The id of the recorded session that begins so. INVALID_ARGS if there is none or more than one. */
export async function findSession(stateDir: string, prefix: string): Promise<string> {
  const store = new SessionStore(stateDir)
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await store.list({ limit: 500, ...(cursor ? { cursor } : {}) })
    for (const { id } of page.sessions) {
      if (id === prefix) return id
      if (id.startsWith(prefix)) found.push(id)
    }
    cursor = page.nextCursor
  } while (cursor)
  const [first, ...others] = found
  if (first === undefined)
    throw new HarnessError(
      'SESSION_NOT_FOUND',
      `There is no session ${prefix} in ${store.directory}, and no file of that name. "deckhand sessions list" lists the sessions.`,
    )
  if (others.length === 0) return first
  const shown = found.slice(0, SHOWN_MATCHES).join(', ')
  throw new HarnessError(
    'INVALID_ARGS',
    `${found.length} sessions begin with ${prefix}: ${shown}. Give more of the id.`,
  )
}
