import { execFileSync } from 'node:child_process'
import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { walk } from '../../src/workspace/walk.js'
import { compileGlob } from '../../src/workspace/walk-glob.js'
import { sortByNameBytes } from '../../src/workspace/walk-order.js'
import { isPosix } from '../support/platform.js'
import { putTree } from '../support/tree.js'
import { openTree, pathsOf } from './walk-support.js'

test('files come in byte order, segment by segment, whatever the depth and the name', async () => {
  const { paths } = await pathsOf(await openTree('odd-names'))
  expect(paths.filter(path => /^[\w./-]*ä?$/.test(path))).toEqual([
    '-rf',
    '-x/--y',
    'Z',
    'a/b/c',
    'a/z',
    'a-b/x',
    'a.txt',
    'b.txt',
    'ä',
  ])
  const segments = paths.map(path => path.split('/').map(name => Buffer.from(name)))
  expect(segments).toEqual([...segments].sort(bySegment))
  expect(paths).toHaveLength(18)
})

test('a name above U+FFFF comes after one below, as its bytes say', async () => {
  const root = await openTree({ '\u{1F600}': '', '\uFF5E': '', a: '' })
  expect((await pathsOf(root)).paths).toEqual(['a', '\uFF5E', '\u{1F600}'])
})

test('hidden names, .git and what .gitignore excludes are left out of a workspace', async () => {
  const root = await openTree('monorepo')
  expect((await pathsOf(root)).paths).toEqual([
    'docs/area.txt',
    'package.json',
    'packages/app/package.json',
    'packages/app/src/index.js',
    'packages/app/src/pages/[id]/page.js',
    'packages/app/src/pages/i/page.js',
    'packages/core/package.json',
    'packages/core/src/area.js',
    'packages/core/src/area.test.js',
  ])
})

test('a filter that names hidden files finds them, but never inside .git', async () => {
  const root = await openTree('monorepo')
  await putTree(root, { '.git/b.yml': '', 'sub/.git/c.yml': '', '.x/d.yml': '', 'e.yml': '' })
  const find = async (pattern: string) => (await pathsOf(root, { filter: compileGlob(pattern).filter })).paths
  expect(await find('**/*.yml')).toEqual(['e.yml'])
  expect(await find('**/.*/**/*.yml')).toEqual(['.github/workflows/ci.yml', '.x/d.yml'])
})

test('a start inside .git yields nothing and says why', async () => {
  const root = await openTree({ '.git/hooks/x': '' })
  const { paths, summary } = await pathsOf(root, { start: join(root, '.git', 'hooks') })
  expect(paths).toEqual([])
  expect(summary.gitDirectory).toBe(true)
})

test('a file as start is the only entry', async () => {
  const root = await openTree({ 'a/b': '' })
  expect((await pathsOf(root, { start: join(root, 'a', 'b') })).paths).toEqual([''])
})

test('a start that does not exist is NOT_FOUND, in the words of the caller', async () => {
  const root = await openTree({})
  const failing = pathsOf(root, { start: join(root, 'none'), spoken: 'none' })
  await expect(failing).rejects.toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining(' none:') })
})

test.runIf(isPosix)('a FIFO as start is refused without waiting, one in the tree is passed over (B66)', async () => {
  const root = await openTree({ a: '' })
  execFileSync('mkfifo', [join(root, 'pipe')])
  expect((await pathsOf(root)).paths).toEqual(['a'])
  await expect(pathsOf(root, { start: join(root, 'pipe') })).rejects.toMatchObject({ code: 'NOT_A_FILE' })
})

test('links to directories are not followed, links to files only inside the roots, and a circle ends (B63)', async () => {
  const root = join(await openTree('links'), 'workspace')
  const { paths, summary } = await pathsOf(root)
  expect(paths).toEqual(['b.txt', 'link.txt', 'real/a.txt'])
  expect(summary.linksOutside).toBe(1)
})

test('files whose name says secret are left out and counted, also behind a link', async () => {
  const root = await openTree({
    '.env': '',
    '.env.example': '',
    'server.pem': '',
    'sub/id_rsa': '',
    'a.txt': '',
    'x/.git/.env': '',
  })
  await symlink(join(root, '.env'), join(root, 'notes'))
  const { paths, summary } = await pathsOf(root)
  expect(paths).toEqual(['a.txt'])
  expect(summary).toMatchObject({ secrets: 4, secretPaths: ['.env', 'notes', 'server.pem', 'sub/id_rsa'] })
})

test('secret files that the filter does not ask for, or .gitignore excludes, are not mentioned', async () => {
  const root = await openTree({ '.gitignore': '.env\n', '.env': '', 'a.key': '', 'a.ts': '' })
  const { summary } = await pathsOf(root, { filter: compileGlob('*.ts').filter })
  expect(summary.secrets).toBe(0)
})

test('a directory that cannot be read is counted and passed over', async () => {
  const root = await openTree(Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`d${i + 10}/f`, ''])))
  const walked = walk({ start: root, roots: [root] })
  const paths: string[] = []
  for await (const entry of walked) {
    // Far enough ahead of the walk not to be listed yet.
    if (paths.length === 0) await rm(join(root, 'd98'), { recursive: true })
    paths.push(entry.relativePath)
  }
  expect(paths).toHaveLength(89)
  expect(paths).not.toContain('d98/f')
  expect(walked.summary.unreadable).toBe(1)
})

test('the walk stops at its limit and says so', async () => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`d${i}/f`, '']))
  const root = await openTree(files)
  const { paths, summary } = await pathsOf(root, { maxEntries: 45 })
  expect(paths.length).toBeLessThan(40)
  expect(summary.truncated).toBe(true)
})

test('an abort ends the walk', async () => {
  const root = await openTree({ a: '', b: '', c: '' })
  const controller = new AbortController()
  const seen: string[] = []
  const run = async () => {
    for await (const entry of walk({ start: root, roots: [root], signal: controller.signal })) {
      seen.push(entry.relativePath)
      controller.abort()
    }
  }
  await expect(run()).rejects.toMatchObject({ code: 'ABORTED' })
  expect(seen).toEqual(['a'])
})

test('thousands of files are walked in order, and the event loop turns meanwhile', async () => {
  const names = Array.from({ length: 3000 }, (_, i) => [`d${i % 7}/f${i}`, ''])
  const root = await openTree(Object.fromEntries(names))
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  const { paths } = await pathsOf(root)
  clearInterval(timer)
  expect(paths).toEqual(names.map(([name]) => name).sort())
  expect(turns).toBeGreaterThan(0)
})

test('names are sorted in runs exactly as all at once', async () => {
  const values = Array.from({ length: 30_000 }, (_, i) => ({ name: `n${(i * 7919) % 30_000}` }))
  const sorted = await sortByNameBytes(values)
  expect(sorted.map(value => value.name)).toEqual(values.map(value => value.name).sort())
})

function bySegment(a: readonly Buffer[], b: readonly Buffer[]): number {
  const at = a.findIndex((name, index) => !b[index]?.equals(name))
  return Buffer.compare(a[at] ?? Buffer.alloc(0), b[at] ?? Buffer.alloc(0))
}
