import { chmod, lstat, mkdir, readdir, readlink, stat, symlink } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import * as edit from '../../../src/tools/edit/index.js'
import * as read from '../../../src/tools/read/index.js'
import * as write from '../../../src/tools/write/index.js'
import { isPosix } from '../../support/platform.js'
import { openWorkbench } from '../../support/workbench.js'

describe('write', () => {
  it('creates a file with its parents and shows it as new', async () => {
    const bench = await openWorkbench(write)
    const done = await bench.call('write', { path: 'deep/er/ä b.txt', content: 'one\ntwo\n' })
    expect(done).toMatchObject({ isError: false, text: 'Created deep/er/ä b.txt (8 bytes).' })
    expect((await bench.bytes('deep/er/ä b.txt')).toString()).toBe('one\ntwo\n')
    expect(done.callCard).toEqual({
      card: 'diff',
      title: 'Write deep/er/ä b.txt',
      diffs: [{ path: 'deep/er/ä b.txt', oldText: null, newText: 'one\ntwo\n' }],
      locations: [{ path: 'deep/er/ä b.txt' }],
    })
    const path = bench.path('deep', 'er', 'ä b.txt')
    expect(done.resultCard).toEqual({ card: 'diff', diffs: [{ path, oldText: null, newText: 'one\ntwo\n', line: 1 }] })
  })

  it('creates an empty file', async () => {
    const bench = await openWorkbench(write)
    const done = await bench.call('write', { path: 'empty', content: '' })
    expect(done.isError).toBe(false)
    expect(done.resultCard).toMatchObject({ diffs: [{ oldText: null, newText: '' }] })
    expect(await bench.bytes('empty')).toHaveLength(0)
  })

  it('refuses an existing file that the session has not read, whatever another session has read (B16)', async () => {
    const bench = await openWorkbench(read, write)
    await bench.put('f', 'old\n')
    await bench.call('read', { path: 'f' }, { agent: { ...bench.agent, sessionId: 'other' } })
    const failed = await bench.call('write', { path: 'f', content: 'new\n' })
    expect(failed).toMatchObject({ isError: true, code: 'NOT_READ', resultCard: undefined })
    expect((await bench.bytes('f')).toString()).toBe('old\n')
  })

  it('refuses a file that changed since it was read, and writes after a new read (B16)', async () => {
    const bench = await openWorkbench(read, write)
    await bench.put('f', 'old\n')
    await bench.call('read', { path: 'f' })
    await bench.put('f', 'user\n')
    const failed = await bench.call('write', { path: 'f', content: 'new\n' })
    expect(failed).toMatchObject({ isError: true, code: 'CHANGED_SINCE_READ' })
    expect((await bench.bytes('f')).toString()).toBe('user\n')
    await bench.call('read', { path: 'f' })
    const done = await bench.call('write', { path: 'f', content: 'new\n' })
    expect(done.resultCard).toEqual({
      card: 'diff',
      diffs: [{ path: bench.path('f'), oldText: 'user\n', newText: 'new\n', line: 1 }],
    })
  })

  it('takes a file saved with the same bytes for unchanged, and a part read for the whole', async () => {
    const bench = await openWorkbench(read, write)
    await bench.put('f', 'a\nb\nc\n')
    await bench.call('read', { path: 'f', offset: 2, limit: 1 })
    await bench.put('f', 'a\nb\nc\n')
    expect((await bench.call('write', { path: 'f', content: 'x\n' })).isError).toBe(false)
  })

  it('may overwrite what the session itself wrote or edited', async () => {
    const bench = await openWorkbench(write, edit)
    await bench.call('write', { path: 'f', content: 'one\n' })
    await bench.call('edit', { path: 'f', old_string: 'one', new_string: 'two' })
    const done = await bench.call('write', { path: 'f', content: 'three\n' })
    expect(done.text).toBe('Replaced f (6 bytes).')
  })

  it('knows after a load what a logged result says the session had seen', async () => {
    const bench = await openWorkbench(read, write)
    await bench.put('f', 'old\n')
    const { meta } = await bench.call('read', { path: 'f' })
    const agent = { ...bench.agent, sessionId: 'loaded' }
    bench.ctx.files.restoreSeen(agent.sessionId, JSON.parse(JSON.stringify(meta)))
    expect((await bench.call('write', { path: 'f', content: 'new\n' }, { agent })).isError).toBe(false)
  })

  it('works on absolute paths for a call without a session', async () => {
    const bench = await openWorkbench(read, write)
    const path = await bench.put('f', 'old\n')
    const refused = await bench.call('write', { path: 'f', content: '' }, { agent: null })
    expect(refused.code).toBe('NO_WORKSPACE')
    await bench.call('read', { path }, { agent: null })
    expect((await bench.call('write', { path, content: 'new\n' }, { agent: null })).isError).toBe(false)
  })

  it.each([
    ['CRLF', 'a\r\nb\r\n', 'a\nB\n', 'a\r\nB\r\n'],
    ['CRLF, given CRLF', 'a\r\nb\r\n', 'a\r\nB\r\n', 'a\r\nB\r\n'],
    ['LF, given CRLF', 'a\nb\n', 'a\r\nB\r\n', 'a\nB\n'],
    ['mostly CRLF', 'a\r\nb\r\nc\n', 'x\ny\n', 'x\r\ny\r\n'],
    ['a byte order mark', '\uFEFFa\n', 'b\n', '\uFEFFb\n'],
    ['a byte order mark, given one', '\uFEFFa\n', '\uFEFFb\n', '\uFEFFb\n'],
    ['no line ending', 'a', 'b\r\nc', 'b\r\nc'],
  ])('keeps the convention of an existing file: %s (B02, B05)', async (_what, before, content, after) => {
    const bench = await openWorkbench(read, write)
    await bench.put('f', before)
    await bench.call('read', { path: 'f' })
    await bench.call('write', { path: 'f', content })
    expect((await bench.bytes('f')).toString()).toBe(after)
  })

  it('never gives a new file a byte order mark (B05)', async () => {
    const bench = await openWorkbench(write)
    await bench.call('write', { path: 'f', content: '\uFEFFa\r\n' })
    expect((await bench.bytes('f')).toString()).toBe('a\r\n')
  })

  it.runIf(isPosix)('keeps the mode, and a link that leads to the file (B15)', async () => {
    const bench = await openWorkbench(read, write)
    await chmod(await bench.put('real.sh', '#!/bin/sh\n'), 0o751)
    await symlink('real.sh', bench.path('link.sh'))
    await bench.call('read', { path: 'link.sh' })
    const done = await bench.call('write', { path: 'link.sh', content: '#!/bin/sh\necho\n' })
    expect(done.isError).toBe(false)
    expect((await lstat(bench.path('link.sh'))).isSymbolicLink()).toBe(true)
    expect((await stat(bench.path('real.sh'))).mode & 0o777).toBe(0o751)
    expect(await readdir(bench.dir)).toEqual(['link.sh', 'real.sh'])
  })

  it('says so when the content is the same, and does not touch the file', async () => {
    const bench = await openWorkbench(read, write)
    const path = await bench.put('f', 'a\r\n')
    await bench.call('read', { path: 'f' })
    const { ino } = await stat(path)
    const done = await bench.call('write', { path: 'f', content: 'a\n' })
    expect(done).toMatchObject({ isError: false, text: 'f already has exactly this content; nothing was written.' })
    expect(done.resultCard).toMatchObject({ card: 'generic', content: [{ type: 'text' }] })
    expect((await stat(path)).ino).toBe(ino)
  })

  it('creates the target of a dangling link inside the workspace', async () => {
    const bench = await openWorkbench(write)
    await mkdir(bench.path('d'))
    await symlink('../made.txt', bench.path('d', 'link'))
    expect((await bench.call('write', { path: 'd/link', content: 'x' })).isError).toBe(false)
    expect((await bench.bytes('made.txt')).toString()).toBe('x')
    expect(await readlink(bench.path('d', 'link'))).toBe('../made.txt')
  })

  it('refuses to turn binary files and UTF-16 into text (B66)', async () => {
    const bench = await openWorkbench(read, write)
    await bench.put('b', Buffer.from([1, 0, 2]))
    await bench.put('u', Buffer.from('\uFEFFhi', 'utf16le'))
    await bench.call('read', { path: 'u' })
    expect((await bench.call('write', { path: 'b', content: 'x' })).code).toBe('BINARY_FILE')
    expect((await bench.call('write', { path: 'u', content: 'x' })).code).toBe('BINARY_FILE')
  })

  it('refuses half a surrogate pair before any gate is asked', async () => {
    const bench = await openWorkbench(write)
    expect((await bench.call('write', { path: 'f', content: 'a\udc00' })).code).toBe('INVALID_ARGS')
  })

  it('writes 20,000 lines over 20,000 others without hunks that cannot be shown, and says why (B08)', async () => {
    const bench = await openWorkbench(read, write)
    const lines = (word: string) =>
      Array.from({ length: 20_000 }, (_, n) => `${word} ${n} ${'x'.repeat(20)}\n`).join('')
    await bench.put('f', lines('old'))
    await bench.call('read', { path: 'f', limit: 1 })
    const done = await bench.call('write', { path: 'f', content: lines('new') })
    expect(done.isError).toBe(false)
    expect(done.meta).toMatchObject({ type: 'modified', hunks: [], reason: expect.stringContaining('too large') })
    expect(done.resultCard).toMatchObject({ card: 'generic' })
  })
})
