import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SessionStore } from '../../src/session/index.js'
import { failureOf, storeWith, tempDirectory, turnEnd, turnStart } from './support.js'

/** A session whose only event is at this time. */
async function addSession(store: SessionStore, id: string, at: number, cwd = '/w'): Promise<void> {
  const log = store.create({ cwd, roots: [cwd], id })
  log.append({ type: 'session/config', title: `Title of ${id}` }, at)
  log.append(turnStart, at)
  await log.close()
}

async function ids(store: SessionStore, cwd?: string): Promise<string[]> {
  return (await store.list(cwd === undefined ? {} : { cwd })).sessions.map(session => session.id)
}

describe('SessionStore.list', () => {
  it('shows the last title and cwd, when it was made and when it was last used', async () => {
    const { sessions } = await storeWith('good').list()
    expect(sessions).toEqual([
      {
        id: 'good',
        cwd: '/w/moved',
        created: '2026-01-01T00:00:00.000Z',
        updatedAt: new Date(1767225600011).toISOString(),
        title: 'One file',
      },
    ])
  })

  it('is newest first, by pages that new and used sessions do not shift', async () => {
    const store = storeWith()
    for (let n = 0; n < 7; n++) await addSession(store, `s${n}`, n < 5 ? 1000 + n : 1004)
    const first = await store.list({ limit: 3 })
    expect(first.sessions.map(session => session.id)).toEqual(['s4', 's5', 's6'])
    await addSession(store, 'newest', 5000)
    const { log } = await store.open('s5')
    log.append(turnEnd, 6000)
    await log.close()
    await store.delete('s6')
    const second = await store.list({ limit: 3, cursor: first.nextCursor ?? '' })
    expect(second.sessions.map(session => session.id)).toEqual(['s3', 's2', 's1'])
    const third = await store.list({ limit: 3, cursor: second.nextCursor ?? '' })
    expect([third.sessions.map(session => session.id), third.nextCursor]).toEqual([['s0'], undefined])
    expect((await ids(store)).slice(0, 2)).toEqual(['s5', 'newest'])
  })

  it('refuses a cursor that is not its own', async () => {
    const store = storeWith('good')
    for (const cursor of ['', 'x', '!!', Buffer.from('[1,2]').toString('base64url')]) {
      expect((await failureOf(() => store.list({ cursor }))).code).toBe('INVALID_ARGS')
    }
  })

  it('filters by the last cwd, in both spellings of a linked directory (B42)', async () => {
    const root = tempDirectory()
    const [real, link] = [join(root, 'real'), join(root, 'link')]
    mkdirSync(real)
    symlinkSync(real, link, 'junction')
    const store = storeWith('good')
    await addSession(store, 'in-real', 1, real)
    await addSession(store, 'in-link', 2, link)
    expect(await ids(store, link)).toEqual(['in-link', 'in-real'])
    expect(await ids(store, `${real}/`)).toEqual(['in-link', 'in-real'])
    expect(await ids(store, '/w/moved')).toEqual(['good'])
    expect(await ids(store, '/w/project')).toEqual([])
  })

  it('leaves out what cannot be opened and what never had a prompt, and keeps damaged logs', async () => {
    const store = storeWith(
      'version-2',
      'empty',
      'junk',
      'header-only',
      'torn-header',
      'torn-tail',
      'no-header',
      'crlf',
    )
    writeFileSync(join(store.directory, 'Not An Id.jsonl'), readFileSync(join(store.directory, 'crlf.jsonl')))
    mkdirSync(join(store.directory, 'folder.jsonl'))
    for (let n = 0; n < 2; n++) {
      expect((await ids(store)).sort()).toEqual(['crlf', 'no-header', 'torn-header', 'torn-tail'])
    }
    const { sessions } = await store.list({ cwd: '/w/project' })
    expect(sessions.map(session => session.id).sort()).toEqual(['crlf', 'torn-header', 'torn-tail'])
  })

  it('reads only what was appended since, and sees a title in it', async () => {
    const store = storeWith('good', 'torn-tail')
    await store.list()
    // Were the old part read again, its damage would show: the title and the cwd stand there alone.
    const path = join(store.directory, 'good.jsonl')
    const old = readFileSync(path)
    const config = JSON.stringify({ at: 1767225700000, type: 'session/config', mode: 'plan' })
    writeFileSync(path, `${' '.repeat(old.length - 1)}\n${config}\n`)
    expect((await store.list()).sessions[0]).toMatchObject({
      id: 'good',
      title: 'One file',
      updatedAt: new Date(1767225700000).toISOString(),
    })
    appendFileSync(
      join(store.directory, 'torn-tail.jsonl'),
      '\n{"at":1767225800000,"type":"session/config","title":"Now"}\n',
    )
    expect((await store.list()).sessions[0]).toMatchObject({ id: 'torn-tail', title: 'Now' })
  })

  it('takes no title from inside a call, and none of a wrong type', async () => {
    const store = storeWith('good')
    const path = join(store.directory, 'good.jsonl')
    const nested = { type: 'session/config', title: 'nested' }
    appendFileSync(
      path,
      `${JSON.stringify({ at: 1, type: 'tool/call', callId: 'c8', name: 'x', arguments: nested })}\n`,
    )
    appendFileSync(path, `${JSON.stringify({ at: 1, type: 'session/config', title: 7 })}\n`)
    expect((await store.list()).sessions[0]?.title).toBe('One file')
  })

  it('does without its index: missing, damaged, of wrong values, or for logs that were replaced', async () => {
    const store = storeWith('good')
    const expected = await store.list()
    const index = join(store.directory, 'index.json')
    const whole = readFileSync(index, 'utf8')
    for (const damage of [
      '',
      '{"version":1,',
      whole.replace('"cwd":"/w/moved"', '"cwd":7'),
      '{"version":1,"logs":[[1]]}',
    ]) {
      writeFileSync(index, damage)
      expect(await store.list()).toEqual(expected)
      expect(readFileSync(index, 'utf8')).toBe(whole)
    }
    rmSync(index)
    expect(await store.list()).toEqual(expected)
    rmSync(join(store.directory, 'good.jsonl'))
    await addSession(store, 'good', 1)
    expect((await store.list()).sessions[0]).toMatchObject({ title: 'Title of good', cwd: '/w' })
  })

  it('is empty where no state directory can be read', async () => {
    const file = join(tempDirectory(), 'file')
    writeFileSync(file, '')
    for (const state of [file, join(file, 'below'), join(file, '..', 'none')]) {
      expect(await new SessionStore(state).list()).toEqual({ sessions: [] })
    }
  })
})
