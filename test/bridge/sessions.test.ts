import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cards } from '../support/cards.js'
import { makeDirectory } from '../support/directory.js'
import { type LocalAgent, openLocalAgent, shareLocalAgent } from '../support/local-agent.js'

const terminals = shareLocalAgent('terminal_output')

it('sixteen sessions work at once, each on its own', async () => {
  const agent = terminals()
  const cwds = Array.from({ length: 16 }, () => makeDirectory())
  const ids = await Promise.all(cwds.map(cwd => agent.newSession(cwd)))
  expect(new Set(ids).size).toBe(16)
  const answers = await Promise.all(
    ids.map((sessionId, index) => agent.prompt(sessionId, `!for i in 1 2 3 4 5; do echo ${index}-$i; done\n/glob *`)),
  )
  expect(answers.map(answer => answer.result)).toEqual(ids.map(() => ({ stopReason: 'end_turn' })))
  for (const [index, sessionId] of ids.entries()) {
    const [shell] = cards(agent.updates(sessionId))
    const lines = [1, 2, 3, 4, 5].map(line => `${index}-${line}\n`)
    expect(shell).toMatchObject({
      fields: { status: 'completed' },
      terminal: { cwd: cwds[index], data: lines.join('') },
    })
  }
})

it('a load with another cwd keeps the calls before it where they ran, and runs the next ones there', async () => {
  const [one, two] = [makeDirectory(), makeDirectory()]
  const agent = terminals()
  const sessionId = await agent.newSession(one)
  await agent.prompt(sessionId, '/write a.txt\n```\nx\n```')
  await agent.request('session/close', { sessionId })
  await agent.request('session/load', { sessionId, cwd: two, mcpServers: [] })
  const from = agent.frames.length
  await agent.prompt(sessionId, '/write a.txt\n```\nx\n```')
  const [card] = cards(agent.updates(sessionId, from))
  expect(card).toMatchObject({
    fields: { title: expect.stringContaining('a.txt'), locations: [{ path: join(two, 'a.txt') }] },
  })
  expect((await agent.request('session/list', { cwd: two })).result.sessions).toMatchObject([{ sessionId, cwd: two }])

  const again = agent.frames.length
  await agent.request('session/load', { sessionId, cwd: two, mcpServers: [] })
  const shown = cards(agent.updates(sessionId, again))
  expect(shown.map(card => card.fields.locations)).toEqual([
    [{ path: join(one, 'a.txt'), line: 1 }],
    [{ path: join(two, 'a.txt'), line: 1 }],
  ])
  expect(new Set(shown.map(card => card.fields.title)).size).toBe(1)
})

it('additional directories widen the workspace, and must be absolute', async () => {
  const [one, two] = [makeDirectory(), makeDirectory()]
  writeFileSync(join(two, 'b.txt'), 'outside of cwd\n')
  const agent = terminals()
  const narrow = await agent.newSession(one)
  const turn = agent.start('session/prompt', {
    sessionId: narrow,
    prompt: [{ type: 'text', text: `/read ${two}/b.txt` }],
  })
  const question = await agent.frame(frame => frame.method === 'session/request_permission')
  const { optionId } = question.params.options.find((option: { kind: string }) => option.kind === 'reject_once')
  agent.send({ id: question.id, result: { outcome: { outcome: 'selected', optionId } } })
  expect((await agent.response(turn)).result).toEqual({ stopReason: 'end_turn' })
  const wide = await agent.newSession(one, { additionalDirectories: [two] })
  await agent.prompt(wide, `/read ${two}/b.txt`)
  const statusOf = (sessionId: string) => cards(agent.updates(sessionId))[0]?.fields.status
  expect([statusOf(narrow), statusOf(wide)]).toEqual(['failed', 'completed'])
  const refused = await agent.request('session/new', { cwd: one, mcpServers: [], additionalDirectories: ['rel'] })
  expect(refused.error).toMatchObject({ code: -32602, data: { details: expect.stringContaining('rel') } })
})

it('a question that waits ends with the connection, the cancel or the session, and nothing has run', async () => {
  const [cwd, outside] = [makeDirectory(), makeDirectory()]
  const ask = async (agent: LocalAgent) => {
    const sessionId = await agent.newSession(cwd)
    const text = `/write ${outside}/new.txt\n\`\`\`\nx\n\`\`\``
    const from = agent.frames.length
    const turn = agent.start('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
    const asked = await agent.frame(
      frame => frame.method === 'session/request_permission' && agent.frames.indexOf(frame) >= from,
    )
    expect(asked.params.toolCall).toMatchObject({
      kind: 'edit',
      content: [{ type: 'diff', path: join(outside, 'new.txt') }],
    })
    return { sessionId, turn }
  }
  const agent = await openLocalAgent()
  const cancelled = await ask(agent)
  agent.send({ method: 'session/cancel', params: { sessionId: cancelled.sessionId } })
  expect((await agent.response(cancelled.turn)).result).toEqual({ stopReason: 'cancelled' })
  const closed = await ask(agent)
  await agent.request('session/close', { sessionId: closed.sessionId })
  expect((await agent.response(closed.turn)).result).toEqual({ stopReason: 'cancelled' })
  for (const { sessionId } of [cancelled, closed]) {
    expect(cards(agent.updates(sessionId)).map(card => card.fields.status)).toEqual(['failed'])
  }
  await ask(agent)
  await agent.end()
  expect(readdirSync(outside)).toEqual([])
})
