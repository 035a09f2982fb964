import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { hasPager } from '../support/platform.js'
import { isRunning, until } from '../support/processes.js'
import { type Card, cards, contentText, makeDirectory, shareAgent } from './support.js'

const PROGRAMS = resolve(import.meta.dirname, '../../fixtures/programs')
const node = JSON.stringify(process.execPath)

const agents = { plain: shareAgent(), terminal_output: shareAgent('terminal_output') }

/** Runs one prompt in a new session and returns its card. */
async function run(
  text: string,
  client: keyof typeof agents = 'terminal_output',
  cwd = makeDirectory(),
): Promise<Card> {
  const agent = agents[client]()
  const sessionId = await agent.newSession(cwd)
  expect((await agent.prompt(sessionId, text)).result).toEqual({ stopReason: 'end_turn' })
  const [card] = cards(agent.updates(sessionId))
  if (!card) throw new Error('no call was shown')
  return card
}

it('a command in the background lets its call end, and dies with its session (B23)', async () => {
  const cwd = makeDirectory()
  const agent = agents.terminal_output()
  const sessionId = await agent.newSession(cwd)
  await agent.prompt(sessionId, '!sleep 300 & echo $! > pid; echo started')
  const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'))
  expect(cards(agent.updates(sessionId))[0]).toMatchObject({
    fields: { status: 'completed' },
    terminal: { data: 'started\n', exit: { exit_code: 0 } },
  })
  expect(isRunning(pid)).toBe(true)
  await agent.request('session/close', { sessionId })
  await until(() => !isRunning(pid))
})

it('a program that reads its input gets the end of it, and the next request is answered (B27)', async () => {
  const agent = agents.terminal_output()
  const sessionId = await agent.newSession(makeDirectory())
  const turn = agent.start('session/prompt', { sessionId, prompt: [{ type: 'text', text: '!cat; echo "cat: $?"' }] })
  const list = agent.start('session/list')
  expect((await agent.response(turn)).result).toEqual({ stopReason: 'end_turn' })
  expect((await agent.response(list)).result).toEqual({ sessions: expect.any(Array) })
  expect(cards(agent.updates(sessionId))[0]).toMatchObject({ terminal: { data: 'cat: 0\n' } })
})

it('a question for a password finds no terminal, also past a redirection, and says so', async () => {
  const card = await run(
    `!sh ${JSON.stringify(join(PROGRAMS, 'ask-on-tty.sh'))}; read -rs -p 'Password: ' word; echo "read: $?"`,
  )
  expect(card.fields.status).toBe('completed')
  expect(card.terminal?.data).toContain('no terminal to ask on\n')
  expect(card.terminal?.data).toContain('read: 1\n')
})

it.each(['terminal_output', 'plain'] as const)('a full-screen program ends with a readable card (%s)', async client => {
  const card = await run(`!${node} ${JSON.stringify(join(PROGRAMS, 'full-screen.mjs'))}`, client)
  const shown = card.terminal?.data ?? contentText(card)
  expect(card.fields.status).toBe('completed')
  expect(shown).toContain('left the screen')
  if (client === 'plain') expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/)
})

it.runIf(hasPager)('less, top and vi end by themselves instead of waiting for keys', async () => {
  const cwd = makeDirectory()
  writeFileSync(join(cwd, 'a.txt'), 'first line\n')
  const card = await run(
    '!less a.txt; (top || true) 2>&1 | head -c 300; (vi a.txt || true) 2>&1 | head -c 2000; echo over',
    'plain',
    cwd,
  )
  expect(card.fields.status).toBe('completed')
  expect(contentText(card)).toMatch(/first line[\s\S]*over/)
})

it.each(['terminal_output', 'plain'] as const)('binary output ends with a card that is text (%s)', async client => {
  const card = await run(`!${node} ${JSON.stringify(join(PROGRAMS, 'binary.mjs'))}`, client)
  const shown = card.terminal?.data ?? contentText(card)
  expect(card.fields.status).toBe('completed')
  expect(shown).toContain('saved no file')
  if (client === 'plain') expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/)
})

it('a character split between writes comes whole, and bytes that are none become one mark (B29)', async () => {
  const split = `${node} ${JSON.stringify(join(PROGRAMS, 'split-utf8.mjs'))} stdout 2000`
  const card = await run(`!${split}; printf '\\n\\xff|\\xe4\\xbd'`)
  expect(card.terminal?.data).toBe(`${'你'.repeat(2000)}\n\ufffd|\ufffd`)
})

it('a command that is not there fails with a word on what to do', async () => {
  const card = await run('!no-such-program-here')
  expect(card.fields.status).toBe('failed')
  expect(card.terminal?.exit).toEqual({ exit_code: 127 })
  expect(card.terminal?.data).toMatch(/not found[\s\S]*\[.*shell\.login.*\]\n$/)
})

it('fences in the output never end the block around it (B36)', async () => {
  const card = await run("!printf '```\\n````\\n`````\\n'", 'plain')
  expect(contentText(card)).toBe('``````console\n```\n````\n`````\n``````')
})
