import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readLog, replayLog, SessionStore, type SessionUpdate } from '../bridge/index.js'
import { clientProfile } from './client-profile.js'
import { drawCard } from './draw/draw-card.js'
import type { Environment } from './environment.js'
import { type ClientCard, foldCard } from './fold/client-card.js'
import { logTo } from './log-file.js'
import { openHost } from './open-host.js'
import { printJson, printLines, printProblem } from './print.js'
import { findSession } from './view/find-session.js'

/** `deckhand replay`: what session/load would send, as frames or as drawn cards. */
export async function runReplay(
  environment: Environment,
  session: string,
  { client, cards: draw }: { client: string; cards?: boolean },
): Promise<number> {
  const path = resolve(environment.cwd, session)
  const isFile = (await stat(path).catch(() => undefined))?.isFile() === true
  const { stateDir } = environment
  const reading = isFile
    ? await readLog(path)
    : await new SessionStore(stateDir).read(await findSession(stateDir, session))
  const log = logTo(environment)
  const host = await openHost(environment)
  const cards = new Map<string, ClientCard>()
  const { id } = reading.header
  const onUpdate = (update: SessionUpdate) => {
    if (draw) foldCard(cards, update)
    else printJson({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: id, update } })
  }
  await replayLog({ reading, profile: clientProfile(client), presenter: host.ctx.tools, onUpdate, log })
  for (const card of cards.values()) printLines(drawCard(card))
  for (const { line, reason } of reading.warnings) printProblem(`line ${line}: ${reason}`)
  await host.close()
  return 0
}
