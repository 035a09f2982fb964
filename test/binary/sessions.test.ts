import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cards, makeDirectory, openAgent } from './support.js'

it('two sessions of one process keep their directories, titles and logs apart (B40)', async () => {
  const [one, two] = [makeDirectory(), makeDirectory()]
  const agent = await openAgent('terminal_output', { cwd: '/' })
  for (const cwd of [one, two]) writeFileSync(join(cwd, 'same.txt'), `in ${cwd}\n`)
  const [first, second] = [await agent.newSession(one), await agent.newSession(two)]
  const turns = [
    agent.start('session/prompt', {
      sessionId: first,
      prompt: [{ type: 'text', text: '!pwd; sleep 0.05; pwd\n/read same.txt' }],
    }),
    agent.start('session/prompt', { sessionId: second, prompt: [{ type: 'text', text: '/read same.txt\n!pwd' }] }),
  ]
  for (const turn of turns) expect((await agent.response(turn)).result).toEqual({ stopReason: 'end_turn' })
  await agent.prompt(second, '/write made.txt\n```\nby the second\n```')

  for (const [sessionId, cwd] of [
    [first, one],
    [second, two],
  ] as const) {
    const shown = cards(agent.updates(sessionId))
    const read = shown.find(card => card.fields.name === 'read')
    expect(read?.fields.locations).toEqual([{ path: join(cwd, 'same.txt'), line: 1 }])
    expect(read?.fields.title).toContain('same.txt')
    expect(read?.fields.title).not.toContain(cwd)
    expect(JSON.stringify(read?.fields.content)).toContain(`in ${cwd}`)
    const shell = shown.find(card => card.fields.name === 'bash')
    expect(shell?.terminal).toMatchObject({ cwd, data: expect.stringContaining(`${cwd}\n`) })
    const log = readFileSync(join(agent.stateDir, 'sessions', `${sessionId}.jsonl`), 'utf8')
    expect(log).not.toContain(cwd === one ? two : one)
  }
  expect(readdirSync(one)).toEqual(['same.txt'])
  expect(readFileSync(join(two, 'made.txt'), 'utf8')).toBe('by the second\n')
})
