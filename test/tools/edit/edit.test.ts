import { chmod, stat, symlink } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import * as edit from '../../../src/tools/edit/index.js'
import { openWorkbench } from '../../support/workbench.js'

describe('edit', () => {
  it('replaces a unique text and shows the applied hunk', async () => {
    const bench = await openWorkbench(edit)
    await bench.put('a.ts', 'one\ntwo\nthree\n')
    const done = await bench.call('edit', { path: 'a.ts', old_string: 'two', new_string: 'TWO' })
    expect(done).toMatchObject({ isError: false, text: 'Edited a.ts: 1 replacement (line 2).' })
    expect(await bench.bytes('a.ts')).toEqual(Buffer.from('one\nTWO\nthree\n'))
    expect(done.callCard).toEqual({
      card: 'diff',
      title: 'Edit a.ts',
      diffs: [{ path: 'a.ts', oldText: 'two', newText: 'TWO' }],
      locations: [{ path: 'a.ts' }],
    })
    expect(done.resultCard).toEqual({
      card: 'diff',
      diffs: [{ path: bench.path('a.ts'), oldText: 'one\ntwo\nthree\n', newText: 'one\nTWO\nthree\n', line: 2 }],
    })
  })

  it('changes nothing but the match: mode, final newline, other lines', async () => {
    const bench = await openWorkbench(edit)
    const path = await bench.put('run.sh', '#!/bin/sh\necho a')
    await chmod(path, 0o755)
    await bench.call('edit', { path: 'run.sh', old_string: 'echo a', new_string: 'echo b' })
    expect((await bench.bytes('run.sh')).toString()).toBe('#!/bin/sh\necho b')
    expect((await stat(path)).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o755)
  })

  it('inserts dollar patterns literally', async () => {
    const bench = await openWorkbench(edit)
    await bench.put('a.txt', 'x y x')
    await bench.call('edit', { path: 'a.txt', old_string: 'y', new_string: "$& $1 $$ $` $'" })
    expect((await bench.bytes('a.txt')).toString()).toBe("x $& $1 $$ $` $' x")
  })

  it('refuses an invented middle between a real first and last line, and names the nearest real lines (B11)', async () => {
    const bench = await openWorkbench(edit)
    const content = 'function a() {\n  return 1\n}\n\nfunction b() {\n  return 2\n}\n'
    await bench.put('a.js', content)
    const failed = await bench.call('edit', {
      path: 'a.js',
      old_string: 'function b() {\n  const invented = true\n}',
      new_string: 'gone',
    })
    expect(failed).toMatchObject({ isError: true, code: 'NO_MATCH' })
    expect(failed.text).toContain('     5\tfunction b() {\n     6\t  return 2\n     7\t}')
    expect((await bench.bytes('a.js')).toString()).toBe(content)
  })

  it('says when only blanks at the ends of lines differ, and when line numbers were copied', async () => {
    const bench = await openWorkbench(edit)
    await bench.put('a.py', 'def f():\n\treturn 1\n')
    const blanks = await bench.call('edit', { path: 'a.py', old_string: 'def f():\n    return 1\n', new_string: 'x' })
    expect(blanks.text).toContain('differ only in blanks at their ends:\n     1\tdef f():\n     2\t\treturn 1')
    const numbered = await bench.call('edit', { path: 'a.py', old_string: '     1\tdef f():', new_string: 'x' })
    expect(numbered.text).toContain('Leave out the line numbers')
  })

  it('finds the nearest line by its words when none is equal', async () => {
    const bench = await openWorkbench(edit)
    await bench.put('a.txt', 'nothing here\nthe quick brown fox jumps\nor here\n')
    const failed = await bench.call('edit', { path: 'a.txt', old_string: 'the quick red fox jumps', new_string: 'x' })
    expect(failed.text).toContain('     2\tthe quick brown fox jumps')
  })

  it('replaces every place with replace_all and refuses the same text without it, with the count (B13)', async () => {
    const bench = await openWorkbench(edit)
    const lines = Array.from({ length: 40 }, (_, n) => (n % 15 === 5 ? `get /v1/b ${n}` : `line ${n}`))
    await bench.put('routes.txt', `${lines.join('\n')}\n`)
    const ambiguous = await bench.call('edit', { path: 'routes.txt', old_string: '/v1/b', new_string: '/v2/b' })
    expect(ambiguous).toMatchObject({ isError: true, code: 'AMBIGUOUS_MATCH' })
    expect(ambiguous.text).toContain('stands in 3 places (lines 6, 21, 36)')
    expect((await bench.bytes('routes.txt')).toString()).toBe(`${lines.join('\n')}\n`)

    const args = { path: 'routes.txt', old_string: '/v1/b', new_string: '/v2/b', replace_all: true }
    const done = await bench.call('edit', args)
    expect(done.text).toBe('Edited routes.txt: 3 replacements (lines 6, 21, 36).')
    expect((await bench.bytes('routes.txt')).toString()).toBe(`${lines.join('\n').replaceAll('/v1/b', '/v2/b')}\n`)
    expect(done.resultCard).toMatchObject({ card: 'diff', diffs: [{ line: 6 }, { line: 21 }, { line: 36 }] })
  })

  it('takes a text that overlaps itself for ambiguous', async () => {
    const bench = await openWorkbench(edit)
    await bench.put('a.txt', 'x\nx\nx\n')
    expect(await bench.call('edit', { path: 'a.txt', old_string: 'x\nx\n', new_string: '' })).toMatchObject({
      code: 'AMBIGUOUS_MATCH',
    })
  })

  it('applies several edits in order, each to what the earlier ones left', async () => {
    const bench = await openWorkbench(edit)
    await bench.put('a.txt', 'a\nb\nc\n')
    const edits = [
      { old_string: 'a\n', new_string: 'b\n' },
      { old_string: 'b', new_string: 'B', replace_all: true },
      { old_string: 'B\nB\nc', new_string: 'd' },
    ]
    const done = await bench.call('edit', { path: 'a.txt', edits })
    expect(done.text).toContain('4 replacements')
    expect((await bench.bytes('a.txt')).toString()).toBe('d\n')
    expect(done.callCard).toMatchObject({ diffs: [{ oldText: 'a\n' }, { oldText: 'b' }, { oldText: 'B\nB\nc' }] })
  })

  it('writes nothing unless every edit matches, and says which one failed', async () => {
    const bench = await openWorkbench(edit)
    await bench.put('a.txt', 'a\nb\n')
    const edits = [
      { old_string: 'a', new_string: 'A' },
      { old_string: 'zzz', new_string: 'Z' },
    ]
    const failed = await bench.call('edit', { path: 'a.txt', edits })
    expect(failed).toMatchObject({ isError: true, code: 'NO_MATCH' })
    expect(failed.text).toMatch(/^Edit 2 of 2: [\s\S]*Nothing was written\.$/)
    expect((await bench.bytes('a.txt')).toString()).toBe('a\nb\n')
  })

  it('says so when edits undo each other, and leaves the file untouched', async () => {
    const bench = await openWorkbench(edit)
    const path = await bench.put('a.txt', 'a\n')
    const before = await stat(path)
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'b', new_string: 'a' },
    ]
    const done = await bench.call('edit', { path: 'a.txt', edits })
    expect(done).toMatchObject({ isError: false, text: 'a.txt is as it was: the replacements undo each other.' })
    expect(done.resultCard).toMatchObject({ card: 'generic' })
    expect((await stat(path)).ino).toBe(before.ino)
  })

  it.each([
    ['no form at all', {}, 'pass either'],
    ['both forms', { old_string: 'a', new_string: 'b', edits: [{ old_string: 'a', new_string: 'b' }] }, 'not both'],
    ['half a form', { old_string: 'a' }, 'new_string: expected a string'],
    ['replace_all alone', { replace_all: true }, 'old_string: expected a string'],
    ['no edits', { edits: [] }, 'at least one entry'],
    ['an empty old text', { old_string: '', new_string: 'b' }, 'To create a file'],
    ['equal texts', { old_string: 'a', new_string: 'a' }, 'are the same'],
    ['texts that differ in line endings only', { old_string: 'a\r\n', new_string: 'a\n' }, 'line endings only'],
    ['half a surrogate pair', { old_string: 'a', new_string: '\ud83d' }, 'valid Unicode'],
  ])('refuses %s before any gate is asked', async (_what, form, reason) => {
    const bench = await openWorkbench(edit)
    await bench.put('a.txt', 'a\n')
    let asked = 0
    bench.ctx.on('tools/execute', (_exec, next) => {
      asked += 1
      return next()
    })
    const failed = await bench.call('edit', { path: 'a.txt', ...form })
    expect(failed).toMatchObject({ isError: true, code: 'INVALID_ARGS' })
    expect(failed.text).toContain(reason)
    expect(asked).toBe(0)
    expect((await bench.bytes('a.txt')).toString()).toBe('a\n')
  })

  it('keeps both of two edits that run at once, also through a link and its target (B15)', async () => {
    const bench = await openWorkbench(edit)
    const numbers = Array.from({ length: 100 }, (_, n) => `${n + 1}\n`).join('')
    await bench.put('seq.txt', numbers)
    await symlink('seq.txt', bench.path('link.txt'))
    const results = await Promise.all([
      bench.call('edit', { path: 'seq.txt', old_string: '\n50\n', new_string: '\nFIFTY\n' }),
      bench.call('edit', { path: 'link.txt', old_string: '\n75\n', new_string: '\nX\n' }),
      bench.call('edit', { path: bench.path('seq.txt'), old_string: '\n100\n', new_string: '\nEND\n' }),
    ])
    expect(results.map(result => result.isError)).toEqual([false, false, false])
    const expected = numbers.replace('\n50\n', '\nFIFTY\n').replace('\n75\n', '\nX\n').replace('\n100\n', '\nEND\n')
    expect((await bench.bytes('seq.txt')).toString()).toBe(expected)
  })

  it('needs no earlier read, and says that a file changed since it was seen when nothing matches', async () => {
    const bench = await openWorkbench(edit)
    await bench.put('a.txt', 'a\nb\n')
    expect((await bench.call('edit', { path: 'a.txt', old_string: 'a', new_string: 'A' })).isError).toBe(false)
    await bench.put('a.txt', 'other\n')
    const failed = await bench.call('edit', { path: 'a.txt', old_string: 'b', new_string: 'B' })
    expect(failed.text).toContain('has changed since this session last saw it')
  })

  it('shows a title and a place while arguments stream, and no content', async () => {
    const bench = await openWorkbench(edit)
    expect(bench.ctx.tools.presentPartial('edit', {})).toBeUndefined()
    const early = bench.ctx.tools.presentPartial('edit', { path: 'a.txt', old_string: 'a' })
    expect(early).toMatchObject({ title: 'Edit a.txt', locations: [{ path: 'a.txt' }] })
  })
})
