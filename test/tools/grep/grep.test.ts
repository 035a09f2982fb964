import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as grep from '../../../src/tools/grep/index.js'
import { putTree } from '../../support/tree.js'
import { openWorkbench } from '../../support/workbench.js'
import { openTree } from '../../workspace/walk-support.js'

async function openGrep(files: Record<string, string | Uint8Array>) {
  const bench = await openWorkbench(grep)
  await putTree(bench.dir, files)
  return bench
}

test('hits stand as path:line: text, in path order, with what was searched', async () => {
  const bench = await openGrep({ 'b.ts': 'x\nfoo b\n', 'a/c.ts': 'foo c\n', 'a.md': 'nothing\n' })
  const { text, isError, meta } = await bench.call('grep', { pattern: 'fo+' })
  expect(isError).toBe(false)
  expect(text).toBe('a/c.ts:1: foo c\nb.ts:2: foo b\n[2 hits in 2 files; 3 files searched.]')
  expect(meta).toMatchObject({ hits: 2, files: 2, more: false })
})

test('a file that begins with a BOM is hit on its first line (B05)', async () => {
  const bench = await openGrep({ 'p.ps1': Buffer.from('\uFEFFparam($x)\n') })
  const { text } = await bench.call('grep', { pattern: '^param' })
  expect(text).toContain('p.ps1:1: param($x)\n')
})

test('CRLF lines are matched and shown without the CR, UTF-16 with a BOM is decoded', async () => {
  const bench = await openGrep({ 'a.txt': 'one\r\ntwo\r\n', 'w.txt': Buffer.from('\uFEFFone\r\n', 'utf16le') })
  const { text } = await bench.call('grep', { pattern: 'one$', context: 1 })
  expect(text).toBe('a.txt:1: one\na.txt-2- two\n--\nw.txt:1: one\n[2 hits in 2 files; 2 files searched.]')
})

test('context lines carry dashes, overlap only once, and gaps are marked', async () => {
  const bench = await openGrep({ 'a.txt': 'x1\nhit\nx3\nhit\nx5\nx6\nx7\nhit' })
  const { text } = await bench.call('grep', { pattern: 'hit', context: 1 })
  expect(text.split('\n').slice(0, -1)).toEqual([
    'a.txt-1- x1',
    'a.txt:2: hit',
    'a.txt-3- x3',
    'a.txt:4: hit',
    'a.txt-5- x5',
    '--',
    'a.txt-7- x7',
    'a.txt:8: hit',
  ])
})

test('patterns and paths that begin with a dash are taken as they are (B67)', async () => {
  const bench = await openGrep({ '-rf': '-e --files -> -77\n', 'a.txt': 'plain\n' })
  for (const pattern of ['-e', '--files', '->', '-77']) {
    const { text } = await bench.call('grep', { pattern, path: '-rf' })
    expect(text).toContain('-rf:1: -e --files -> -77\n[1 hit in 1 file; 1 file searched.]')
  }
})

test('ignore_case and glob narrow the search; a glob without a slash holds at every level', async () => {
  const bench = await openGrep({ 'a.ts': 'Foo', 'src/b.ts': 'foo', 'src/c.js': 'foo', 'src/d.test.ts': 'foo' })
  const rows = async (args: object) =>
    (await bench.call('grep', { pattern: 'foo', ...args })).text.split('\n').slice(0, -1)
  expect(await rows({ glob: '*.ts' })).toEqual(['src/b.ts:1: foo', 'src/d.test.ts:1: foo'])
  expect(await rows({ glob: '*.ts', ignore_case: true })).toEqual([
    'a.ts:1: Foo',
    'src/b.ts:1: foo',
    'src/d.test.ts:1: foo',
  ])
  expect(await rows({ glob: '!*.test.ts' })).toEqual(['src/b.ts:1: foo', 'src/c.js:1: foo'])
  expect(await rows({ glob: 'src/*.js' })).toEqual(['src/c.js:1: foo'])
  expect(await rows({ path: 'src', glob: '*.js' })).toEqual(['src/c.js:1: foo'])
})

test('no hit succeeds, says what was searched, and explains a pattern over several lines', async () => {
  const bench = await openGrep({ 'src/a.ts': 'a\nb\n' })
  const { text, isError } = await bench.call('grep', { pattern: 'a\\nb', path: 'src', glob: '*.ts' })
  expect(isError).toBe(false)
  expect(text).toMatch(/^No match for "a\\\\nb" in src \(1 file searched, only \*\.ts\)\./)
  expect(text).toContain('line by line')
})

test('files that are not text are left out and counted, also a huge one (B66)', async () => {
  const bench = await openGrep({
    'a.bin': Buffer.from('foo\0\0foo'),
    'doc.pdf': '%PDF-1.4 foo',
    'big.txt': Buffer.concat([Buffer.alloc(11 * 1024 * 1024, 'x\n'), Buffer.from('foo\n')]),
    'mid.txt': Buffer.concat([Buffer.alloc(1024 * 1024, 'x\n'), Buffer.from('foo\n')]),
  })
  const { text } = await bench.call('grep', { pattern: 'foo' })
  expect(text).toContain('mid.txt:524289: foo\n[1 hit in 1 file; 1 file searched.]')
  expect(text).toContain('[2 files left out, not text.]')
  expect(text).toContain('[1 file left out, over 10 MiB.]')
})

test('a long line is cut around its match (B66)', async () => {
  const bench = await openGrep({ 'min.js': `${'a'.repeat(2_000_000)}needle${'b'.repeat(2_000_000)}` })
  const [row] = (await bench.call('grep', { pattern: 'needle' })).text.split('\n')
  expect(row).toMatch(/^min\.js:1: …a+needleb+…$/)
  expect(row!.length).toBeLessThan(450)
})

test('links out of the workspace are not searched, and a path through one is refused (B63)', async () => {
  const outside = await openTree({ 'd/x.txt': 'foo\n' })
  const bench = await openGrep({ 'a.txt': 'foo\n' })
  await symlink(join(outside, 'd'), join(bench.dir, 'd'))
  await symlink(join(outside, 'd', 'x.txt'), join(bench.dir, 'l.txt'))
  const { text } = await bench.call('grep', { pattern: 'foo' })
  expect(text).toBe('a.txt:1: foo\n[1 hit in 1 file; 1 file searched.]\n[1 link out of the workspace not followed.]')
  for (const path of ['d', 'd/x.txt', 'l.txt', '..']) {
    expect((await bench.call('grep', { pattern: 'foo', path })).code).toBe('OUTSIDE_WORKSPACE')
  }
  expect((await bench.call('grep', { pattern: 'foo', glob: '../*' })).code).toBe('OUTSIDE_WORKSPACE')
})

test('a linked working directory and its real path give the same relative hits (B42)', async () => {
  const bench = await openGrep({ 'real/src/a.ts': 'foo\n' })
  await symlink(bench.path('real'), bench.path('link'))
  const cwd = bench.path('link')
  const agent = { ...bench.agent, cwd, roots: [cwd] }
  for (const path of ['src', join(cwd, 'src'), bench.path('real', 'src'), 'src/a.ts']) {
    expect((await bench.call('grep', { pattern: 'foo', path }, { agent })).text).toContain('src/a.ts:1: foo')
  }
})

test('secret files are left out by name and said so; one that path names is searched', async () => {
  const bench = await openGrep({ '.env': 'KEY=1\n', 'a.pem': 'KEY=2\n', '.env.example': 'KEY=3\n', 'a.ts': 'KEY=4\n' })
  const { text } = await bench.call('grep', { pattern: 'KEY' })
  expect(text).toContain('a.ts:1: KEY=4\n[1 hit in 1 file; 1 file searched.]\n')
  expect(text).toContain('[2 files left out, whose name says secret: .env, a.pem.]')
  expect((await bench.call('grep', { pattern: 'KEY', glob: '.env*' })).text).toContain('.env.example:1: KEY=3')
  expect((await bench.call('grep', { pattern: 'KEY', path: '.env' })).text).toContain('.env:1: KEY=1')
})

test('a newline in a file name cannot pass for a hit', async () => {
  const bench = await openGrep({ 'a\nb.ts:1: fake': 'foo\n' })
  expect((await bench.call('grep', { pattern: 'foo' })).text).toContain('a\\x0ab.ts:1: fake:1: foo')
})

test('a missing path is NOT_FOUND, a relative one without a session NO_WORKSPACE, an absolute one works', async () => {
  const bench = await openGrep({ 'a.txt': 'foo\n' })
  expect((await bench.call('grep', { pattern: 'x', path: 'none' })).code).toBe('NOT_FOUND')
  expect((await bench.call('grep', { pattern: 'x' }, { agent: null })).code).toBe('NO_WORKSPACE')
  const { text } = await bench.call('grep', { pattern: 'foo', path: bench.dir }, { agent: null })
  expect(text).toContain(`${bench.path('a.txt')}:1: foo`)
})

test('two sessions search their own directories at once', async () => {
  const bench = await openGrep({ 'one/a.txt': 'foo one\n', 'two/a.txt': 'foo two\n' })
  await mkdir(bench.path('two', 'empty'))
  await writeFile(bench.path('two', 'b.txt'), 'foo too\n')
  const search = (directory: string) => {
    const cwd = bench.path(directory)
    return bench.call(
      'grep',
      { pattern: 'foo' },
      { agent: { ...bench.agent, sessionId: directory, cwd, roots: [cwd] } },
    )
  }
  const [one, two] = await Promise.all([search('one'), search('two')])
  expect(one.text).toBe('a.txt:1: foo one\n[1 hit in 1 file; 1 file searched.]')
  expect(two.text).toBe('a.txt:1: foo two\nb.txt:1: foo too\n[2 hits in 2 files; 2 files searched.]')
})
