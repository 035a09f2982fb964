import { resolve } from 'node:path'
import { createHost, runSingleCall, type SessionUpdate } from '../bridge/index.js'
import { clientProfile } from './client-profile.js'
import { type ClientCard, foldCard } from './draw/client-card.js'
import { drawCard } from './draw/draw-card.js'
import { type Environment, toHostSettings } from './environment.js'
import { logTo } from './log-file.js'
import { print, printLines } from './print.js'

interface CallOptions {
  cwd?: string
  wire?: boolean
  client: string
}

/** `deckhand call`: one tool through the waterfall; 1 if its result is an error. */
export async function runCall(
  environment: Environment,
  name: string,
  json: string,
  { cwd = '.', wire, client }: CallOptions,
): Promise<number> {
  const host = createHost([], logTo(environment), toHostSettings(environment))
  await host.ready
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  const cards = new Map<string, ClientCard>()
  const onUpdate = (update: SessionUpdate) => {
    if (wire) print(JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'call', update } }))
    else foldCard(cards, update)
  }
  const result = await runSingleCall({
    ctx: host.ctx,
    name,
    arguments: json,
    cwd: resolve(environment.cwd, cwd),
    profile: clientProfile(client),
    signal: stop.signal,
    onUpdate,
  })
  for (const card of cards.values()) printLines(drawCard(card))
  await host.close()
  return result === undefined || result.isError ? 1 : 0
}
