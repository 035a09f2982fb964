import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as grep from '../../../src/tools/grep/index.js'
import { copyTree, putTree, type TreeName } from '../../support/tree.js'
import { openWorkbench } from '../../support/workbench.js'
import { pathsOf } from '../../workspace/walk-support.js'

async function openGrep(tree: Record<string, string | Uint8Array> | TreeName) {
  const bench = await openWorkbench(grep)
  if (typeof tree === 'string') await copyTree(tree, bench.dir)
  else await putTree(bench.dir, tree)
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
  const bench = await openGrep('encodings')
  const { text } = await bench.call('grep', { pattern: '^param' })
  expect(text).toContain('bom.ps1:1: param($x)\n')
})

test('CRLF lines are matched and shown without the CR, UTF-16 with a BOM is decoded', async () => {
  const bench = await openGrep('encodings')
  const rows = async (pattern: string, glob: string) =>
    (await bench.call('grep', { pattern, glob, context: 1 })).text.split('\n').slice(0, -1)
  expect(await rows('(one|two|grüß)$', '{crlf,no-newline,utf-16le}.txt')).toEqual([
    'crlf.txt:1: one',
    'crlf.txt:2: two',
    '--',
    'no-newline.txt:1: one',
    'no-newline.txt:2: two',
    '--',
    'utf-16le.txt:1: grüß',
    'utf-16le.txt-2- dich',
  ])
  expect(await rows('^hi$', 'utf-16be.txt')).toEqual(['utf-16be.txt:1: hi'])
})

test('files that are not text are named as left out beside those in an old encoding, which are searched', async () => {
  const { text } = await (await openGrep('encodings')).call('grep', { pattern: 'caf|All|b' })
  expect(text).toMatch(/^latin-1\.txt:1: caf.\nlone-cr\.txt:/)
  expect(text).toContain('[2 files left out, not text.]')
})

test('what .gitignore excludes is not searched, as no walk finds it', async () => {
  const bench = await openGrep('ignored')
  const { text } = await bench.call('grep', { pattern: 'needle' })
  const hits = text.split('\n').filter(line => line.endsWith(': needle'))
  expect(hits.map(line => line.replace(/:1: needle$/, ''))).toEqual((await pathsOf(bench.dir)).paths)
  expect(hits).toContain('nested/sub/keep.log:1: needle')
  expect(text).not.toContain('other.log')
})

test('odd names stand as they are in front of a hit, and can be given as path', async () => {
  const bench = await openGrep('odd-names')
  const { text } = await bench.call('grep', { pattern: 'needle' })
  for (const path of ["it's 100% & $(touch ran).txt", '{a,b}.txt', '[id]/page.txt', '#1;x.txt', '-x/--y', '~']) {
    expect(text.split('\n')).toContain(`${path}:1: needle`)
    expect((await bench.call('grep', { pattern: 'needle', path })).text).toContain('[1 hit in 1 file;')
  }
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
  const bench = await openGrep('monorepo')
  const files = async (args: object) => {
    const { text } = await bench.call('grep', { pattern: 'area', ...args })
    const rows = text.split('\n').filter(line => !line.startsWith('['))
    return [...new Set(rows.map(line => line.replace(/:\d+: .*/, '')))]
  }
  const [app, core] = ['packages/app/src', 'packages/core/src']
  expect(await files({ glob: '*.js' })).toEqual([`${app}/index.js`, `${core}/area.js`, `${core}/area.test.js`])
  expect(await files({ glob: '{page,area}.*', ignore_case: true })).toEqual([
    'docs/area.txt',
    `${app}/pages/[id]/page.js`,
    `${core}/area.js`,
    `${core}/area.test.js`,
  ])
  expect(await files({ glob: '!*.test.js', path: 'packages/core' })).toEqual([
    'packages/core/package.json',
    `${core}/area.js`,
  ])
  expect(await files({ glob: 'packages/*/src/*.test.js' })).toEqual([`${core}/area.test.js`])
  expect(await files({ path: app, glob: '*.js' })).toEqual([`${app}/index.js`])
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
  const bench = await openGrep('links')
  const cwd = bench.path('workspace')
  const search = (args: object) =>
    bench.call('grep', { pattern: 'needle', ...args }, { agent: { ...bench.agent, cwd, roots: [cwd] } })
  expect((await search({})).text).toBe(
    'b.txt:1: needle\nlink.txt:1: needle\nreal/a.txt:1: needle\n[3 hits in 3 files; 3 files searched.]\n[1 link out of the workspace not followed.]',
  )
  for (const path of ['d', 'd/x.txt', 's.txt', '..']) {
    expect((await search({ path })).code).toBe('OUTSIDE_WORKSPACE')
  }
  expect((await search({ glob: '../*' })).code).toBe('OUTSIDE_WORKSPACE')
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
