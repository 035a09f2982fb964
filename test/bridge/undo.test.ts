import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { methods } from '@agentclientprotocol/sdk'
import { describe, expect, it } from 'vitest'
import { foldUpdates } from '../support/fold.js'
import { connect } from './connected-agent.js'

const clients = { plain: {}, 'Zed-like': { _meta: { terminal_output: true } } }

describe.each(Object.entries(clients))('a session with a %s client', (name, capabilities) => {
  it('shows what a command changed, takes it back with /undo, and replays both as they were (B45)', async () => {
    const { connection, cwd, newSession, prompt, updates, stateDir } = await connect({ capabilities })
    const path = join(cwd, 'a.txt')
    await writeFile(path, 'one\n')
    const sessionId = await newSession()
    await prompt(sessionId, '!echo two >> a.txt')
    await prompt(sessionId, '/undo')
    expect(await readFile(path, 'utf8')).toBe('one\n')
    await prompt(sessionId, '/undo')
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\n')

    const live = foldUpdates(updates(sessionId))
    const titles = live.entries.flatMap(entry => (entry.type === 'call' ? [entry.fields.title] : []))
    const own = name === 'plain' ? [] : ['Changed a.txt']
    const undo = 'Undo the changes of the last turn'
    expect(titles).toEqual(['echo two >> a.txt', ...own, undo, undo])
    const last = live.entries.findLast(entry => entry.type === 'call')
    expect(last?.type === 'call' && last.fields).toMatchObject({
      kind: 'edit',
      status: 'completed',
      content: [
        { type: 'content', content: { type: 'text', text: 'Put back: a.txt' } },
        { type: 'diff', path, oldText: 'one\n', newText: 'one\ntwo\n' },
      ],
      locations: [{ path, line: 2 }],
    })

    await connection.agent.request(methods.agent.session.close, { sessionId })
    const before = updates(sessionId).length
    await connection.agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] })
    expect(foldUpdates(updates(sessionId).slice(before), { user: false }).entries).toEqual(live.entries)

    await connection.agent.request(methods.agent.session.delete, { sessionId })
    const kept = await readdir(join(stateDir, 'checkpoints'), { recursive: true, withFileTypes: true })
    expect(kept.filter(entry => entry.isFile())).toEqual([])
  })
})
