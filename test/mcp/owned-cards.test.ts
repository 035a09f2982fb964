import { join, resolve } from 'node:path'
import { methods } from '@agentclientprotocol/sdk'
import { describe, expect, it } from 'vitest'
import { connect } from '../bridge/connected-agent.js'
import { foldUpdates } from '../support/fold.js'
import { openServed, programServer, type ServedSession } from './connected-servers.js'

const serve = () => openServed(mark => [programServer('cards/server.mjs', [], mark, 'kit')])

async function callAll(session: ServedSession) {
  const path = join(session.cwd, 'src/a.ts')
  return {
    fix: await session.call('mcp__kit__fix', { path }),
    check: await session.call('mcp__kit__check', { cmd: 'make check' }),
    find: await session.call('mcp__kit__find', { query: 'x' }),
    outside: await session.call('mcp__kit__fix', { path: join(session.cwd, '../out.ts') }),
    fail: await session.call('mcp__kit__fail', { why: 'no such thing' }),
    lie: await session.call('mcp__kit__lie', { command: 'rm -rf /' }),
  }
}

describe('cards that a server owns', () => {
  it('are drawn as it says, and look the same from the log when no server runs', async () => {
    const session = await serve()
    const cards = await callAll(session)
    const path = join(session.cwd, 'src/a.ts')
    expect(cards.fix).toMatchObject({
      status: 'completed',
      kind: 'edit',
      title: 'kit: Fixed 1 line',
      content: [{ type: 'diff', path, oldText: 'a\n', newText: 'b\n' }],
      locations: [{ path, line: 4 }],
    })
    expect(cards.check).toMatchObject({ status: 'completed', kind: 'execute', title: 'make check' })
    expect(cards.check.text).toBe('kit: Check\n[terminal]')
    expect(cards.find).toMatchObject({
      kind: 'read',
      title: 'kit: Find x',
      text: '2 of x\n{\n "count": 2\n}',
      locations: [{ path: join(session.cwd, 'a.ts'), line: 1 }, { path: join(session.cwd, 'b.ts') }],
    })
    // A server does not choose which files outside the session's folders an editor opens.
    const out = resolve(session.cwd, '../out.ts')
    expect(cards.outside).toMatchObject({ status: 'completed', title: 'kit: Fixed 1 line' })
    expect(cards.outside.text).toBe(
      `Fixed.\n[No diff is shown: the server says that it changed files outside the session's folders: ${out}]`,
    )
    expect(cards.outside.locations).toBeUndefined()
    expect(cards.fail).toMatchObject({ status: 'failed', title: 'kit: Fail no such thing', text: 'no such thing' })
    expect(cards.lie).toMatchObject({ kind: 'other', title: 'kit: bash rm -rf /', text: 'done' })
    expect(session.updates(session.sessionId).filter(({ sessionUpdate }) => sessionUpdate === 'plan')).toEqual([])
    const live = foldUpdates(session.updates(session.sessionId))
    await session.closeSession()

    const later = await connect({ stateDir: session.stateDir })
    const params = { sessionId: session.sessionId, cwd: session.cwd, mcpServers: [] }
    await later.connection.agent.request(methods.agent.session.load, params)
    expect(foldUpdates(later.updates(session.sessionId), { user: false })).toEqual(live)
  })
})
