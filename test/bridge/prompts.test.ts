import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Frame } from '../support/agent-client.js'
import { cards, contentText, messageText } from '../support/cards.js'
import { makeDirectory } from '../support/directory.js'
import { type LocalAgent, openLocalAgent, shareLocalAgent } from '../support/local-agent.js'

const text = (value: string) => ({ type: 'text', text: value })
const link = (path: string, name = 'file') => ({ type: 'resource_link', uri: pathToFileURL(path).href, name })

const agent = shareLocalAgent()
const terminals = shareLocalAgent('terminal_output')

/** Sends blocks to a new session; what came of it. */
async function ask(at: LocalAgent, cwd: string, ...prompt: object[]) {
  const sessionId = await at.newSession(cwd)
  const answer: Frame = await at.request('session/prompt', { sessionId, prompt })
  const updates = at.updates(sessionId)
  return { answer, calls: cards(updates), said: messageText(updates) }
}

describe('text that only looks like a command (J1)', () => {
  it.each([
    ['an image in Markdown', [text('![shot](a.png) fix this')]],
    ['a path', [text('/etc/hosts lacks a line')]],
    ['a lone exclamation mark', [text('!')]],
    ['a later text block', [text('please'), text('!touch ran')]],
    ['an embedded resource', [{ type: 'resource', resource: { uri: 'file:///x.md', text: '!touch ran' } }]],
    [
      'a resource before text',
      [{ type: 'resource', resource: { uri: 'file:///x.md', text: '!touch ran' } }, text('see')],
    ],
    ['a link', [{ type: 'resource_link', uri: 'file:///!touch%20ran', name: '!touch ran' }]],
    ['no block at all', []],
    ['blank text', [text('  \n ')]],
    ['a command after text', [text('do this:\n!touch ran')]],
  ])('%s runs nothing and gets an answer', async (_what, blocks) => {
    const cwd = makeDirectory()
    const { answer, calls, said } = await ask(agent(), cwd, ...blocks)
    expect(answer.result).toEqual({ stopReason: 'end_turn' })
    expect(calls).toEqual([])
    expect(said).toMatch(/No model is configured/)
    expect(readdirSync(cwd)).toEqual([])
  })

  it('a here-document is one call, and so is a loop', async () => {
    const cwd = makeDirectory()
    const here = await ask(terminals(), cwd, text('!cat <<EOF\n!one\n/two\nEOF'))
    expect(here.calls).toMatchObject([{ terminal: { data: '!one\n/two\n' } }])
    const loop = await ask(terminals(), cwd, text('!for i in 1 2\ndo\n  echo $i\ndone'))
    expect(loop.calls).toMatchObject([{ terminal: { data: '1\n2\n' } }])
  })

  it('one wrong line keeps the whole prompt from running, and is named with the right form', async () => {
    const cwd = makeDirectory()
    const { calls, said } = await ask(
      agent(),
      cwd,
      text('/write a.txt\n```\nx\n```\n/call nothing {}\n/write b.txt\n```\ny'),
    )
    expect(calls).toEqual([])
    expect(said).toMatch(/^Line \d+: /)
    expect(readdirSync(cwd)).toEqual([])
  })

  it('leading space does not hide a command, and commands go on after one that fails', async () => {
    const cwd = makeDirectory()
    const { calls } = await ask(agent(), cwd, text('  !exit 3\n!touch after'))
    expect(calls.map(card => card.fields.status)).toEqual(['failed', 'completed'])
    expect(existsSync(join(cwd, 'after'))).toBe(true)
  })
})

describe('mentions (B74)', () => {
  it('a mention of a file stands for its decoded path, whatever its name', async () => {
    const cwd = makeDirectory()
    for (const name of ['hello world#.txt', "it's 100% & $(touch ran).txt", 'ünï-你.txt']) {
      writeFileSync(join(cwd, name), `in ${name}\n`)
      const read = await ask(agent(), cwd, text('/read '), link(join(cwd, name)))
      expect(read.calls).toMatchObject([{ fields: { status: 'completed', locations: [{ path: join(cwd, name) }] } }])
      const shell = await ask(agent(), cwd, text('!cat '), link(join(cwd, name)))
      expect(contentText(shell.calls[0]!)).toBe(`\`\`\`console\nin ${name}\n\`\`\``)
    }
    expect(existsSync(join(cwd, 'ran'))).toBe(false)
  })

  it('text after a mention belongs to the command, and is never one', async () => {
    const cwd = makeDirectory()
    writeFileSync(join(cwd, 'a.txt'), 'one\n')
    const { calls } = await ask(terminals(), cwd, text('!wc -l'), link(join(cwd, 'a.txt')), text(' | tr -d " "'))
    expect(calls).toMatchObject([{ terminal: { data: `1${join(cwd, 'a.txt')}\n` } }])
  })

  it('an image, audio and a block of an unknown type are no reason to fail', async () => {
    const cwd = makeDirectory()
    for (const block of [
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    ]) {
      const { answer, said } = await ask(agent(), cwd, text('look'), block)
      expect(answer.result).toEqual({ stopReason: 'end_turn' })
      expect(said).toMatch(/No model/)
    }
    const { answer } = await ask(agent(), cwd, { type: 'hologram', data: 1 })
    expect(answer.result ?? answer.error.code).toEqual(answer.result ? { stopReason: 'end_turn' } : -32602)
  })
})

describe('arguments typed by hand (B80)', () => {
  it.each([
    ['/call todo', 'failed'],
    ['/call todo {}', 'failed'],
    ['/call read {"path": null}', 'failed'],
    ['/call read {"path": 5}', 'failed'],
    ['/read {"path": "a.txt", "limit": null}', 'completed'],
    ['/call read {"path": "a.txt", "nonsense": 1}', 'completed'],
    ['/read path=a.txt limit=x', 'failed'],
    ['/read', 'failed'],
  ])('%s is a call that is %s, and the turn goes on', async (line, status) => {
    const cwd = makeDirectory()
    writeFileSync(join(cwd, 'a.txt'), 'x\n')
    const { answer, calls } = await ask(agent(), cwd, text(`${line}\n!touch after`))
    expect(answer.result).toEqual({ stopReason: 'end_turn' })
    expect(calls.map(card => card.fields.status)).toEqual([status, 'completed'])
    expect(existsSync(join(cwd, 'after'))).toBe(true)
  })

  it.each(['/call read []', '/call read 5', '/call read {', '/read {"path": "a.txt"} more'])(
    '%s is wrong in its form or a failed call; nothing is read',
    async line => {
      const { answer, calls, said } = await ask(agent(), makeDirectory(), text(line))
      expect(answer.result).toEqual({ stopReason: 'end_turn' })
      expect(calls.every(card => card.fields.status === 'failed')).toBe(true)
      expect(calls.length > 0 || /^Line 1: /.test(said)).toBe(true)
    },
  )
})

it('a prompt of 4 MB is taken: the file is written whole, and the replay sends its text in messages of a usual size', async () => {
  const cwd = makeDirectory()
  const agent = await openLocalAgent()
  const sessionId = await agent.newSession(cwd)
  const body = '0123456789abcde\n'.repeat(256 * 1024)
  await agent.prompt(sessionId, `/write big.txt\n\`\`\`\n${body}\`\`\``)
  expect(readFileSync(join(cwd, 'big.txt'), 'utf8')).toBe(body)
  await agent.request('session/close', { sessionId })
  const from = agent.frames.length
  await agent.request('session/load', { sessionId, cwd, mcpServers: [] })
  const replayed = agent.frames.slice(from)
  for (const frame of replayed) expect(JSON.stringify(frame).length).toBeLessThan(1024 * 1024)
  const user = agent.updates(sessionId, from).filter(update => update.sessionUpdate === 'user_message_chunk')
  expect(user.map(update => update.content.text).join('')).toBe(`/write big.txt\n\`\`\`\n${body}\`\`\``)
  expect(new Set(user.map(update => update.messageId)).size).toBe(1)
})
