import { describe, expect, it, vi } from 'vitest'
import type { ConnectOptions } from '../bridge/connected-agent.js'
import { openServed, programServer, type ServedSession } from './connected-servers.js'

const serve = (mode: string, options: ConnectOptions = {}) =>
  openServed(mark => [programServer('hostile/server.mjs', [mode], mark, 'hostile')], options)

const WAIT = { timeout: 10_000, interval: 20 }

/** The session is of use: a tool of ours runs. */
async function expectUsable(session: ServedSession): Promise<void> {
  expect(await session.call('bash', { command: 'echo still here' })).toMatchObject({ status: 'completed' })
}

const expectGood = async (session: ServedSession) =>
  expect(await session.call('mcp__hostile__good')).toMatchObject({
    status: 'completed',
    title: 'hostile: good',
    text: 'good',
  })

describe('a session with a server that misbehaves is of use, and leaves no process, if the server', () => {
  it('never answers, not even to a signal (B75)', async () => {
    const session = await serve('never-answers', { toolWaitMs: 50 })
    // Nobody waits for it but a prompt, and that one not long.
    await expectUsable(session)
    await session.call('mcp__hostile__good')
    expect(session.said()).toContain('no tool is named mcp__hostile__good')
    expect(session.said()).toContain('still on their way')
    await session.closeSession()
  })

  it('is slow (B75)', async () => {
    const session = await serve('slow')
    await expectGood(session)
    await expectUsable(session)
    await session.closeSession()
  })

  it('ends as soon as it is started', async () => {
    const session = await serve('exits-on-start')
    // A line for the thread waits for a prompt to stand with.
    await vi.waitFor(async () => {
      await expectUsable(session)
      expect(session.said()).toContain('MCP server hostile does not run: it ended with exit code 3')
    }, WAIT)
    await session.closeSession()
  })

  it('crashes in a call: that call fails, and the server is started again', async () => {
    const session = await serve('crashes-in-call')
    await expectGood(session)
    expect(await session.call('mcp__hostile__crash')).toMatchObject({
      status: 'failed',
      text: expect.stringContaining('it ended with exit code 7'),
    })
    await expectUsable(session)
    await session.untilCalled('mcp__hostile__good', { status: 'completed', text: 'good' })
    await session.closeSession()
  })

  it('prints on its stdout', async () => {
    const session = await serve('noise')
    await expectGood(session)
    expect(session.logged.join('\n')).toContain('stdout: Listening on stdio')
    await session.closeSession()
  })

  it('answers with 5 MB: the card and the model get head and tail', async () => {
    const session = await serve('huge-result')
    const card = await session.call('mcp__hostile__huge')
    expect(card.text).toMatch(/^begin x+\n\[\d+ bytes left out\]\nx+ end$/)
    expect(card.text.length).toBeLessThan(70_000)
    await expectGood(session)
    await session.closeSession()
  })

  it('has odd schemas: each tool is kept, repaired or left out by itself (B77)', async () => {
    const session = await serve('bad-schemas')
    await expectGood(session)
    for (const tool of ['any_of', 'no_type', 'lost_ref', 'odd_output']) {
      expect(await session.call(`mcp__hostile__${tool}`)).toMatchObject({ status: 'completed', text: 'good' })
    }
    expect(session.said()).toMatch(
      /tools left out: not_an_object \(.*\), list \(.*\), a tool \(it has no name\), a tool \(it/,
    )
    expect(session.logged.join('\n')).toMatch(/lost_ref repaired: a: its reference leads nowhere/)
    await session.closeSession()
  })

  it('names its tools like ours, twice or too long', async () => {
    const session = await serve('name-clashes')
    await expectGood(session)
    await expectUsable(session)
    expect(await session.call('mcp__hostile__bash')).toMatchObject({ title: 'hostile: bash', text: 'good' })
    expect(session.tools().filter(name => name.startsWith('mcp__'))).toEqual([
      'mcp__hostile__a_b',
      expect.stringMatching(/^mcp__hostile__a_b-[0-9a-f]{8}$/),
      'mcp__hostile__bash',
      'mcp__hostile__good',
      'mcp__hostile__read',
      expect.stringMatching(/^mcp__hostile__x+-[0-9a-f]{8}$/),
      expect.stringMatching(/^mcp__hostile__x+-[0-9a-f]{8}$/),
    ])
    expect(session.said()).toContain('good (the server lists it twice)')
    await session.closeSession()
  })

  it('says all the time that its tools have changed', async () => {
    const session = await serve('list-changed-storm')
    await expectGood(session)
    await expectUsable(session)
    await session.closeSession()
  })

  it('sends bytes that are no UTF-8', async () => {
    const session = await serve('invalid-utf8')
    expect(await session.call('mcp__hostile__bytes')).toMatchObject({
      status: 'completed',
      text: 'caf\ufffd(\ufffd\ufffd\ufffd',
    })
    await expectGood(session)
    await session.closeSession()
  })

  it('answers what nobody asked, and twice', async () => {
    const session = await serve('wrong-ids')
    expect(await session.call('mcp__hostile__confused')).toMatchObject({ status: 'completed', text: 'for you' })
    await expectGood(session)
    await session.closeSession()
  })

  it('has 2,000 tools', async () => {
    const session = await serve('huge-list')
    await expectUsable(session)
    await vi.waitFor(() => expect(session.tools()).toContain('mcp__hostile__tool_1999'), WAIT)
    await expectGood(session)
    expect(session.tools().filter(name => name.startsWith('mcp__'))).toHaveLength(2001)
    expect(await session.call('mcp__hostile__tool_1999', { what: 'x' })).toMatchObject({
      title: 'hostile: `tool_1999` x',
      text: 'good',
    })
    expect(await session.call('mcp__hostile__tool_7')).toMatchObject({
      status: 'failed',
      text: expect.stringContaining('what: expected a value, got nothing'),
    })
    await session.closeSession()
  })
})
