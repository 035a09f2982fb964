import { createHost, type readLog, SessionStore } from '../bridge/index.js'
import { isHarnessError, oneLine } from '../cards/index.js'
import { type Environment, toHostSettings } from './environment.js'
import { logTo } from './log-file.js'
import { print, printJson, printProblem } from './print.js'
import { findSession } from './view/find-session.js'

const HINT = '"deckhand sessions list" lists the sessions by their whole ids.'

/** `deckhand sessions list`. */
export async function listSessions(
  { stateDir }: Environment,
  { cwd, json }: { cwd?: string; json?: boolean },
): Promise<number> {
  const store = new SessionStore(stateDir)
  let cursor: string | undefined
  let count = 0
  do {
    const page = await store.list({ limit: 500, ...(cwd ? { cwd } : {}), ...(cursor ? { cursor } : {}) })
    for (const session of page.sessions) {
      count++
      if (json) printJson(session)
      else print(`${session.id}  ${session.updatedAt}  ${session.title ?? ''}  (${session.cwd})`)
    }
    cursor = page.nextCursor
  } while (cursor)
  if (count === 0 && !json) print(`No sessions in ${store.directory}.`)
  return 0
}

/** `deckhand sessions show`. */
export async function showSession(
  { stateDir }: Environment,
  id: string,
  { json }: { json?: boolean },
): Promise<number> {
  const reading = await new SessionStore(stateDir).read(await findSession(stateDir, id))
  if (json) printJson(reading.header)
  else print(`session ${reading.header.id} in ${reading.header.cwd}, created ${reading.header.created}`)
  for await (const events of reading.batches) {
    for (const event of events) {
      if (json) printJson(event)
      else print(`${toTime(event.at)}  ${event.type.padEnd(17)} ${summary(event)}`)
    }
  }
  for (const { line, reason } of reading.warnings) printProblem(`line ${line}: ${reason}`)
  return 0
}

/** `deckhand sessions rm`: by their whole ids; 1 if one of them could not be removed, which stderr says, others are. */
export async function removeSessions(environment: Environment, ids: readonly string[]): Promise<number> {
  const store = new SessionStore(environment.stateDir)
  const removed: string[] = []
  const failed: string[] = []
  for (const id of new Set(ids)) {
    try {
      if (await store.delete(id)) removed.push(id)
      else failed.push(`There is no session ${oneLine(id, 64)} in ${store.directory}; ${HINT}`)
    } catch (error) {
      if (!isHarnessError(error)) throw error
      failed.push(error.message)
    }
  }
  await forgetCheckpoints(environment, removed)
  for (const message of failed) printProblem(`deckhand: ${message}`)
  return failed.length === 0 ? 0 : 1
}

/** `deckhand sessions prune`. */
export async function pruneSessions(environment: Environment): Promise<number> {
  const { removed, freedBytes } = await new SessionStore(environment.stateDir).prune()
  await forgetCheckpoints(environment, removed)
  print(`Removed ${removed.length} sessions, ${freedBytes} bytes.`)
  return 0
}

/** What was kept for /undo goes with its session. */
async function forgetCheckpoints(environment: Environment, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const host = createHost([], logTo(environment), toHostSettings(environment))
  await host.ready
  for (const id of ids) await host.ctx.get('checkpoints')?.forget(id)
  await host.close()
}

/** A log may hold any number. */
function toTime(at: number): string {
  const time = new Date(at)
  return Number.isNaN(time.getTime()) ? String(at) : time.toISOString()
}

type Event = Awaited<ReturnType<typeof readLog>>['batches'] extends AsyncGenerator<(infer E)[]> ? E : never

function summary({ type: _type, at: _at, ...fields }: Event): string {
  const text = JSON.stringify(fields)
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
