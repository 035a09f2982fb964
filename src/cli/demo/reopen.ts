import { isDeepStrictEqual } from 'node:util'
import { methods } from '@agentclientprotocol/sdk'
import { type Line, span } from '../draw/styled.js'
import { type ClientCard, foldCard } from '../fold/client-card.js'
import { startAgent } from './agent-client.js'
import type { Scratch } from './scratch.js'

interface ReopenOptions {
  cliPath: string
  scratch: Scratch
  sessionId: string
  /** As they were shown while the thread was open. */
  cards: ReadonlyMap<string, ClientCard>
}

/** Loads the thread in a new process; whether its cards are the same, and a line that says so. */
export async function reopen({
  cliPath,
  scratch,
  sessionId,
  cards,
}: ReopenOptions): Promise<{ isSame: boolean; line: Line }> {
  const again = new Map<string, ClientCard>()
  const agent = await startAgent(cliPath, scratch.stateDir, update => void foldCard(again, update))
  try {
    await agent.connection.agent.request(methods.agent.session.load, {
      sessionId,
      cwd: scratch.project,
      mcpServers: [],
    })
  } finally {
    await agent.end()
  }
  const isSame = isDeepStrictEqual([...cards.values()], [...again.values()])
  const verdict = isSame ? 'the same cards' : 'other cards'
  return {
    isSame,
    line: [
      span(`${cards.size} tool calls. `),
      span(`The thread was closed, reopened in a new process and shows ${verdict}.`, isSame ? 'ok' : 'fail'),
    ],
  }
}
