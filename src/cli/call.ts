import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { runSingleCall, type SessionUpdate } from '../bridge/index.js'
import { HarnessError } from '../cards/index.js'
import { clientProfile } from './client-profile.js'
import { drawCard } from './draw/draw-card.js'
import type { Environment } from './environment.js'
import { type ClientCard, foldCard } from './fold/client-card.js'
import { openHost } from './open-host.js'
import { printJson, printLines } from './print.js'

interface CallOptions {
  cwd?: string
  wire?: boolean
  /** Absolute paths of plugins. */
  plugin?: readonly string[]
  client: string
}

/** `deckhand call`: one tool through the waterfall; 1 if its result is an error. */
export async function runCall(
  environment: Environment,
  name: string,
  json: string,
  { cwd = '.', wire, plugin, client }: CallOptions,
): Promise<number> {
  const directory = resolve(environment.cwd, cwd)
  if (!(await stat(directory).catch(() => undefined))?.isDirectory()) {
    throw new HarnessError('MISSING_CWD', `There is no directory ${directory}: --cwd must name one.`)
  }
  const host = await openHost(environment, plugin)
  const stop = new AbortController()
  const onInterrupt = () => stop.abort()
  process.once('SIGINT', onInterrupt)
  const cards = new Map<string, ClientCard>()
  const onUpdate = (update: SessionUpdate) => {
    if (wire) printJson({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'call', update } })
    else foldCard(cards, update)
  }
  const result = await runSingleCall({
    ctx: host.ctx,
    name,
    arguments: json,
    cwd: directory,
    profile: clientProfile(client),
    signal: stop.signal,
    onUpdate,
  })
  for (const card of cards.values()) printLines(drawCard(card))
  await host.close()
  process.off('SIGINT', onInterrupt)
  return result === undefined || result.isError ? 1 : 0
}
