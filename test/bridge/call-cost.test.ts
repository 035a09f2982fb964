import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connect } from './connected-agent.js'

/** What a turn leaves on the wire and in the log, in counts: the part of its cost that does not depend on the machine. */
async function turnCost(agent: Awaited<ReturnType<typeof connect>>, id: string, text: string) {
  const frames = agent.updates(id).length
  const lines = logLines(agent.stateDir, id)
  const bytes = wireBytes(agent, id)
  expect(await agent.prompt(id, text)).toBe('end_turn')
  return {
    frames: agent.updates(id).length - frames,
    lines: logLines(agent.stateDir, id) - lines,
    bytes: wireBytes(agent, id) - bytes,
  }
}

function logLines(stateDir: string, id: string): number {
  try {
    return readFileSync(join(stateDir, 'sessions', `${id}.jsonl`), 'utf8').split('\n').length
  } catch {
    return 0
  }
}

const wireBytes = (agent: Awaited<ReturnType<typeof connect>>, id: string) => JSON.stringify(agent.updates(id)).length

test('a call takes three messages and three lines of the log, in the first turn of a session as in the fortieth', async () => {
  const agent = await connect()
  const id = await agent.newSession()
  // The first prompt also makes the title.
  await turnCost(agent, id, '!true')
  const early = await turnCost(agent, id, '!true')
  // Start and end of the turn and the user's message are lines too.
  expect(early).toMatchObject({ frames: 3, lines: 6 })
  for (let turn = 0; turn < 36; turn++) await agent.prompt(id, '!true')
  const late = await turnCost(agent, id, '!true')
  expect(late).toMatchObject({ frames: early.frames, lines: early.lines })
  expect(Math.abs(late.bytes - early.bytes)).toBeLessThan(20)
})

test('what a turn sends does not grow with the number of open sessions', async () => {
  const agent = await connect()
  const first = await agent.newSession()
  await turnCost(agent, first, '!true')
  const alone = await turnCost(agent, first, '!true')
  for (let n = 0; n < 12; n++) await agent.newSession()
  expect(await turnCost(agent, first, '!true')).toMatchObject({ frames: alone.frames, lines: alone.lines })
})
