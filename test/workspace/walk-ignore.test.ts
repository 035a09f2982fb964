import { execFileSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { putTree } from '../support/tree.js'
import { openTree, pathsOf } from './walk-support.js'

test('.gitignore counts whether or not the tree is a repository', async () => {
  const files = { '.gitignore': '*.log\nbuild/\n', 'a.log': '', 'build/x': '', 'sub/b.log': '', 'a.ts': '' }
  expect((await pathsOf(await openTree(files))).paths).toEqual(['a.ts'])
  expect((await pathsOf(await openTree({ ...files, '.git/HEAD': '' }))).paths).toEqual(['a.ts'])
})

test('a nested .gitignore holds below its own directory, and its last word wins', async () => {
  const root = join(await openTree('ignored'), 'nested')
  expect((await pathsOf(root)).paths).toEqual([
    'local',
    'sub/deeper/anchored',
    'sub/keep.log',
    'sub/more/deep/x',
    'sub/only-here',
  ])
})

test('a directory that a nested .gitignore takes back is walked, though the rules above exclude its name', async () => {
  const root = join(await openTree('ignored'), 'taken-back')
  expect((await pathsOf(root)).paths).toEqual(['sub/x.d/file'])
})

test('what lies in an excluded directory cannot be taken back', async () => {
  const root = join(await openTree('ignored'), 'excluded')
  expect((await pathsOf(root)).paths).toEqual(['a'])
})

test('directory names with wildcard characters do not widen the rules inside', async () => {
  const root = join(await openTree('ignored'), 'wildcards')
  expect((await pathsOf(root)).paths).toEqual(['d[ab]/y', 'da/x'])
})

test('CRLF, a BOM, comments, trailing and escaped blanks are read as git reads them', async () => {
  const root = join(await openTree('ignored'), 'crlf')
  // A name that ends in a blank is none that every checkout can hold.
  await putTree(root, { 'five ': '' })
  expect((await pathsOf(root)).paths).toEqual(['# two', 'six'])
})

test('git and the walk agree on every file', async () => {
  const root = await openTree('ignored')
  execFileSync('git', ['init', '-q'], { cwd: root })
  const listed = execFileSync('git', ['ls-files', '-z', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const files = listed.split('\0').filter(path => path !== '' && !path.endsWith('.gitignore'))
  expect((await pathsOf(root)).paths.sort()).toEqual(files.sort())
  expect(files.length).toBeGreaterThan(10)
})

test('a start further down obeys the rules above it, up to the top of the repository', async () => {
  const root = await openTree({
    '.gitignore': 'never\n',
    'repo/.git/HEAD': '',
    'repo/.gitignore': '*.log\n/a/b/here\n',
    'repo/a/.gitignore': '*.tmp\n',
    'repo/a/b/x.log': '',
    'repo/a/b/x.tmp': '',
    'repo/a/b/here': '',
    'repo/a/b/never': '',
  })
  const start = join(root, 'repo', 'a', 'b')
  expect((await pathsOf(root, { start, roots: [start] })).paths).toEqual(['never'])
})

test('without a repository the rules above count up to the workspace root', async () => {
  const root = await openTree({
    '.gitignore': 'x\n',
    'ws/.gitignore': 'y\n',
    'ws/sub/x': '',
    'ws/sub/y': '',
    'ws/sub/z': '',
  })
  const start = join(root, 'ws', 'sub')
  expect((await pathsOf(root, { start, roots: [join(root, 'ws')] })).paths).toEqual(['x', 'z'])
})

test('an excluded directory given as start is walked, by its own rules', async () => {
  const root = await openTree({
    '.gitignore': 'dist\n*.js\n',
    'dist/.gitignore': 'b.js\n',
    'dist/a.js': '',
    'dist/b.js': '',
  })
  expect((await pathsOf(root, { start: join(root, 'dist') })).paths).toEqual(['a.js'])
})

test('.git/info/exclude counts, also that of a linked worktree, and .gitignore goes over it', async () => {
  const main = await openTree({
    '.git/info/exclude': '*.tmp\n',
    '.git/worktrees/w/commondir': '../..\n',
    '.gitignore': '!keep.tmp\n',
    'a.tmp': '',
    'keep.tmp': '',
  })
  expect((await pathsOf(main)).paths).toEqual(['keep.tmp'])
  const linked = await openTree({
    '.git': `gitdir: ${join(main, '.git', 'worktrees', 'w')}\n`,
    'a.tmp': '',
    'b.txt': '',
  })
  expect((await pathsOf(linked)).paths).toEqual(['b.txt'])
})

test('a .gitignore that is a link or a directory has no rules', async () => {
  const root = await openTree({ rules: 'a\n', 'x/.gitignore/y': '', a: '' })
  await symlink(join(root, 'rules'), join(root, '.gitignore'))
  expect((await pathsOf(root)).paths).toEqual(['a', 'rules'])
})
