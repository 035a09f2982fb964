import { expect, test } from 'vitest'
import * as glob from '../../../src/tools/glob/index.js'
import { copyTree, putTree, type TreeName } from '../../support/tree.js'
import { openWorkbench } from '../../support/workbench.js'
import { pathsOf } from '../../workspace/walk-support.js'

async function openGlob(...names: string[]) {
  const bench = await openBench()
  await putTree(bench.dir, Object.fromEntries(names.map(name => [name, ''])))
  return bench
}

async function openGlobTree(tree: TreeName) {
  const bench = await openBench()
  await copyTree(tree, bench.dir)
  return bench
}

async function openBench() {
  const bench = await openWorkbench(glob)
  const find = async (pattern: string, path?: string) => {
    const { text } = await bench.call('glob', { pattern, path })
    return text.split('\n').filter(line => !line.startsWith('['))
  }
  return { ...bench, find }
}

test('paths are relative to cwd and in path order, from path on', async () => {
  const { find } = await openGlobTree('monorepo')
  expect(await find('**/*.js')).toEqual([
    'packages/app/src/index.js',
    'packages/app/src/pages/[id]/page.js',
    'packages/app/src/pages/i/page.js',
    'packages/core/src/area.js',
    'packages/core/src/area.test.js',
  ])
  expect(await find('*.json')).toEqual(['package.json'])
  expect(await find('**/*.{js,json}', 'packages/core')).toEqual([
    'packages/core/package.json',
    'packages/core/src/area.js',
    'packages/core/src/area.test.js',
  ])
  expect(await find('packages/*/*.json')).toEqual(['packages/app/package.json', 'packages/core/package.json'])
})

test('what is found is what a walk finds, by the rules of .gitignore', async () => {
  const { find, dir } = await openGlobTree('ignored')
  expect(await find('**/*')).toEqual((await pathsOf(dir)).paths)
})

test('an absolute pattern works and is shown relative', async () => {
  const { find, path } = await openGlob('src/a.ts')
  expect(await find(`${path('src')}/*.ts`)).toEqual(['src/a.ts'])
})

test('a slash at the end finds directories', async () => {
  const { find } = await openGlob('src/a/x', 'src/b/c/y', '.git/z')
  expect(await find('**/')).toEqual(['src/', 'src/a/', 'src/b/', 'src/b/c/'])
  expect(await find('src/*/')).toEqual(['src/a/', 'src/b/'])
  expect(await find('src/')).toEqual(['src/'])
})

test('hidden names are found where the pattern names them', async () => {
  const { find } = await openGlob('.github/ci.yml', '.eslintrc', 'a.yml')
  expect(await find('**/*')).toEqual(['a.yml'])
  expect(await find('.github/*')).toEqual(['.github/ci.yml'])
  expect(await find('.*rc')).toEqual(['.eslintrc'])
})

test('what .gitignore excludes is found only by a pattern that begins with it or names it in full', async () => {
  const bench = await openGlob('dist/a.js', 'b.js', 'c.log')
  await bench.put('.gitignore', 'dist\n*.log\n')
  expect(await bench.find('**/*.js')).toEqual(['b.js'])
  expect(await bench.find('dist/*.js')).toEqual(['dist/a.js'])
  expect(await bench.find('dist/a.js')).toEqual(['dist/a.js'])
  expect(await bench.find('c.log')).toEqual(['c.log'])
  expect(await bench.find('*.log')).toEqual(['Nothing matches *.log in the working directory.'])
})

test('files whose name says secret are left out and said so', async () => {
  const { call } = await openGlob('.env', '.env.example', 'a.key')
  expect((await call('glob', { pattern: '.env*' })).text).toBe(
    '.env.example\n[1 file left out, whose name says secret: .env.]',
  )
  expect((await call('glob', { pattern: 'a.key' })).text).toContain('[1 file left out, whose name says secret: a.key.]')
})

test('links that lead out are not walked, a pattern that does is refused (B63)', async () => {
  const { call, agent, path } = await openGlobTree('links')
  const cwd = path('workspace')
  const find = (pattern: string) => call('glob', { pattern }, { agent: { ...agent, cwd, roots: [cwd] } })
  expect((await find('**/*.txt')).text).toMatch(/^b\.txt\nlink\.txt\nreal\/a\.txt(\n\[|$)/)
  for (const pattern of ['d/*.txt', '../*', `${path('outside')}/*`]) {
    expect((await find(pattern)).code).toBe('OUTSIDE_WORKSPACE')
  }
})

test('names that begin with a dash are plain names (B67)', async () => {
  const { find } = await openGlobTree('odd-names')
  expect(await find('-*')).toEqual(['-rf'])
  expect(await find('--*', '-x')).toEqual(['-x/--y'])
})

test('nothing found succeeds with a hint, also where the directory does not exist', async () => {
  const { call } = await openGlob('src/a.ts')
  const { text, isError } = await call('glob', { pattern: '*.ts' })
  expect(isError).toBe(false)
  expect(text).toContain('for all levels: **/*.ts')
  expect((await call('glob', { pattern: 'none/*.ts' })).text).toContain('Nothing matches none/*.ts')
})

test('brackets match one of their characters, and a name that has them', async () => {
  const { find } = await openGlobTree('monorepo')
  const pages = 'packages/app/src/pages'
  expect(await find(`${pages}/[id]/*`)).toEqual([`${pages}/[id]/page.js`, `${pages}/i/page.js`])
  expect(await find(`${pages}/\\[id\\]/*`)).toEqual([`${pages}/[id]/page.js`])
})

test('a path that is missing or a file is an error', async () => {
  const { call } = await openGlob('a.ts')
  expect((await call('glob', { pattern: '*', path: 'none' })).code).toBe('NOT_FOUND')
  expect((await call('glob', { pattern: '*', path: 'a.ts' })).code).toBe('INVALID_ARGS')
})

test('at most 1,000 paths are shown, with a note', async () => {
  const { call } = await openGlob(...Array.from({ length: 1001 }, (_, i) => `f${i}`))
  const { text, meta } = await call('glob', { pattern: '*' })
  expect(text.split('\n')).toHaveLength(1001)
  expect(text).toContain('[Only the first 1000 in path order; there are more.')
  expect(meta).toEqual({ found: 1000, more: true })
})

test('the cards are a search without locations; the paths stand in a fence', async () => {
  const { call } = await openGlob('src/a.ts')
  const { callCard, resultCard } = await call('glob', { pattern: '*.ts', path: 'src' })
  expect(callCard).toEqual({ card: 'generic', kind: 'search', title: 'Find *.ts in src', paths: ['src'] })
  expect(resultCard).toEqual({
    card: 'generic',
    title: 'Find *.ts in src (1 file)',
    content: [{ type: 'text', text: '```\nsrc/a.ts\n```' }],
  })
})

test('effects name the directory that is walked', async () => {
  const { ctx } = await openGlob()
  const effects = ctx.tools.get('glob')?.effects
  expect(effects?.({ pattern: '**/*.ts' })).toEqual({ reads: ['.'] })
  expect(effects?.({ pattern: '../x/*', path: 'src' })).toEqual({ reads: ['x'] })
  expect(ctx.tools.get('glob')?.isConcurrencySafe?.({ pattern: '*' })).toBe(true)
})
