import { chmod, mkdir, readFile, readlink, stat, symlink, unlink } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { fileChangesOf } from '../../../src/cards/index.js'
import { openUndoBench } from './support.js'

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

describe('undo', () => {
  it('puts back what the last turn changed and shows each file as a diff', async () => {
    const bench = await openUndoBench()
    await bench.put('a.txt', 'one\ntwo\n')
    bench.turn()
    await bench.act('edit', { path: 'a.txt', old_string: 'two', new_string: '2' })
    await bench.act('edit', { path: 'a.txt', old_string: 'one', new_string: '1' })
    await bench.act('write', { path: 'new/deep/b.txt', content: 'b\n' })
    const undone = await bench.undo()
    expect(undone).toMatchObject({ isError: false, text: 'Put back: a.txt, new/deep/b.txt' })
    expect((await bench.bytes('a.txt')).toString()).toBe('one\ntwo\n')
    expect(await exists(bench.path('new'))).toBe(false)
    expect(fileChangesOf(undone.meta)).toMatchObject([
      { type: 'modified', path: bench.path('a.txt'), hunks: [{ oldText: '1\n2\n', newText: 'one\ntwo\n' }] },
      { type: 'deleted', path: bench.path('new/deep/b.txt'), hunks: [{ oldText: 'b\n', newText: '' }] },
    ])
    expect(undone.callCard).toEqual({ card: 'generic', title: 'Undo the changes of the last turn', kind: 'edit' })
  })

  it('a second time brings the changes back, with folders and mode', async () => {
    const bench = await openUndoBench()
    await bench.put('run.sh', 'echo 1\n')
    await chmod(bench.path('run.sh'), 0o750)
    bench.turn()
    await bench.act('edit', { path: 'run.sh', old_string: '1', new_string: '2' })
    await bench.act('write', { path: 'new/b.txt', content: 'b\n' })
    await chmod(bench.path('new/b.txt'), 0o640)
    await bench.undo()
    expect((await bench.undo()).text).toBe('Put back: new/b.txt, run.sh')
    expect((await bench.bytes('run.sh')).toString()).toBe('echo 2\n')
    expect((await bench.bytes('new/b.txt')).toString()).toBe('b\n')
    expect((await stat(bench.path('run.sh'))).mode & 0o777).toBe(0o750)
    expect((await stat(bench.path('new/b.txt'))).mode & 0o777).toBe(0o640)
    await bench.undo()
    expect((await bench.bytes('run.sh')).toString()).toBe('echo 1\n')
    expect(await exists(bench.path('new'))).toBe(false)
  })

  it('leaves a file that changed since, names it, and puts the others back', async () => {
    const bench = await openUndoBench()
    await bench.put('a.txt', 'a\n')
    await bench.put('b.txt', 'b\n')
    bench.turn()
    await bench.act('edit', { path: 'a.txt', old_string: 'a', new_string: 'A' })
    await bench.act('edit', { path: 'b.txt', old_string: 'b', new_string: 'B' })
    await bench.put('a.txt', 'user\n')
    expect(await bench.undo()).toMatchObject({
      isError: false,
      text: 'Put back: b.txt\nLeft as it is: a.txt, for it has changed since',
    })
    expect((await bench.bytes('a.txt')).toString()).toBe('user\n')
    expect((await bench.bytes('b.txt')).toString()).toBe('b\n')
  })

  it('fails if every file has changed since or is gone, and changes nothing', async () => {
    const bench = await openUndoBench()
    await bench.put('a.txt', 'a\n')
    bench.turn()
    await bench.act('edit', { path: 'a.txt', old_string: 'a', new_string: 'A' })
    await unlink(bench.path('a.txt'))
    const undone = await bench.undo()
    expect(undone).toMatchObject({ isError: true, code: 'CHANGED_SINCE_READ' })
    expect(undone.text).toBe('Nothing was undone.\nLeft as it is: a.txt, for it has changed since')
    expect(await exists(bench.path('a.txt'))).toBe(false)
  })

  it('says so when there is nothing to undo, also after turns that only read or failed', async () => {
    const bench = await openUndoBench()
    await bench.put('a.txt', 'a\n')
    bench.turn()
    await bench.act('read', { path: 'a.txt' })
    await bench.act('edit', { path: 'a.txt', old_string: 'none', new_string: 'x' })
    expect((await bench.undo()).text).toContain('There is nothing to undo')
  })

  it('takes back what a command did to files whose content was known', async () => {
    const bench = await openUndoBench()
    await bench.put('a.txt', 'a\n')
    await bench.put('gone.txt', 'gone\n')
    await bench.put('old.txt', 'moved\n')
    bench.turn()
    await bench.act('bash', { command: 'echo b > a.txt; rm gone.txt; mkdir d; echo c > d/c.txt; mv old.txt new.txt' })
    expect((await bench.undo()).text).toBe('Put back: a.txt, d/c.txt, gone.txt, new.txt, old.txt')
    expect((await bench.bytes('old.txt')).toString()).toBe('moved\n')
    expect(await exists(bench.path('new.txt'))).toBe(false)
    expect((await bench.bytes('a.txt')).toString()).toBe('a\n')
    expect((await bench.bytes('gone.txt')).toString()).toBe('gone\n')
    expect(await exists(bench.path('d/c.txt'))).toBe(false)
  })

  it('says how many files a command changed that it cannot put back', async () => {
    const bench = await openUndoBench()
    await bench.put('a.txt', 'a\n')
    await bench.put('b.bin', Buffer.from([0, 1]))
    bench.turn()
    await bench.act('bash', { command: 'echo b > a.txt; echo b > b.bin' })
    expect((await bench.undo()).text).toBe(
      'Put back: a.txt\nNot known: the earlier content of 1 more that a command of that turn changed',
    )
    expect((await bench.bytes('b.bin')).toString()).toBe('b\n')
  })

  it('keeps byte-order mark and CRLF, and writes to a link’s target, not over the link', async () => {
    const bench = await openUndoBench()
    const bytes = Buffer.from('\ufeffa\r\nb\r\n')
    await bench.put('target.txt', bytes)
    await symlink('target.txt', bench.path('link.txt'))
    bench.turn()
    await bench.act('edit', { path: 'link.txt', old_string: 'a', new_string: 'A' })
    await bench.undo()
    expect(await bench.bytes('target.txt')).toEqual(bytes)
    expect(await readlink(bench.path('link.txt'))).toBe('target.txt')
  })

  it('leaves a file whose folder was swapped for a link to outside (B63)', async () => {
    const bench = await openUndoBench()
    await mkdir(bench.path('d'))
    await bench.put('d/a.txt', 'a\n')
    bench.turn()
    await bench.act('edit', { path: 'd/a.txt', old_string: 'a', new_string: 'A' })
    await bench.act('bash', { command: `mv d moved && mkdir ${bench.state}/d && cp moved/a.txt ${bench.state}/d/` })
    await symlink(`${bench.state}/d`, bench.path('d'))
    const undone = await bench.undo()
    expect(undone.text).toContain('lies outside the workspace')
    expect(await readFile(`${bench.state}/d/a.txt`, 'utf8')).toBe('A\n')
  })

  it('is not told to a model, does not refresh what the session has seen, and knows its session only', async () => {
    const bench = await openUndoBench()
    expect(bench.ctx.tools.get('undo')?.userOnly).toBe(true)
    await bench.put('a.txt', 'a\n')
    bench.turn()
    await bench.act('edit', { path: 'a.txt', old_string: 'a', new_string: 'A' })
    const other = { ...bench.agent, sessionId: 'other', turnId: 'turn-9' }
    expect((await bench.call('undo', {}, { agent: other })).text).toContain('nothing to undo')
    await bench.undo()
    expect(await bench.act('write', { path: 'a.txt', content: 'x' })).toMatchObject({ code: 'CHANGED_SINCE_READ' })
    expect(await bench.call('undo', {}, { agent: null })).toMatchObject({ code: 'NO_WORKSPACE' })
  })
})
