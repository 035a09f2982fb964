import { expect, test } from 'vitest'
import * as grep from '../../../src/tools/grep/index.js'
import { Search } from '../../../src/tools/grep/search.js'
import { walk } from '../../../src/workspace/walk.js'
import { putTree } from '../../support/tree.js'
import { openWorkbench } from '../../support/workbench.js'
import { openTree } from '../../workspace/walk-support.js'

async function openGrep(files: Record<string, string>) {
  const bench = await openWorkbench(grep)
  await putTree(bench.dir, files)
  return bench
}

test('max_results bounds the hits, and the note says how many more there are at least', async () => {
  const bench = await openGrep({ 'a.txt': 'foo\n'.repeat(5), 'b.txt': 'foo\n'.repeat(4) })
  const inside = await bench.call('grep', { pattern: 'foo', max_results: 3 })
  expect(inside.text).toContain('a.txt:3: foo\n[3 hits in 1 file;')
  expect(inside.text).toContain('[There are at least 2 more hits: narrow pattern, path or glob, or raise max_results.]')
  const between = await bench.call('grep', { pattern: 'foo', max_results: 5 })
  expect(between.text).toContain('at least 4 more hits')
  const exact = await bench.call('grep', { pattern: 'foo', max_results: 9 })
  expect(exact.text).not.toContain('more')
  expect(exact.meta).toMatchObject({ hits: 9, more: false })
})

test('the text of a result stays under 64 KiB, in whole hits', async () => {
  const bench = await openGrep({ 'a.txt': `${'x'.repeat(300)}\n`.repeat(2000) })
  const { text, meta } = await bench.call('grep', { pattern: 'x', max_results: 2000 })
  expect(Buffer.byteLength(text)).toBeLessThan(64 * 1024)
  expect(meta).toMatchObject({ more: true })
  expect(text).toMatch(/\[There are at least \d+ more hits: narrow pattern, path or glob\.\]/)
})

test('by default 200 hits are shown', async () => {
  const bench = await openGrep({ 'a.txt': 'foo\n'.repeat(300) })
  expect((await bench.call('grep', { pattern: 'foo' })).meta).toMatchObject({ hits: 200, more: true })
})

test('counts out of range are INVALID_ARGS', async () => {
  const bench = await openGrep({})
  expect((await bench.call('grep', { pattern: 'x', max_results: 0 })).code).toBe('INVALID_ARGS')
  expect((await bench.call('grep', { pattern: 'x', context: -1 })).code).toBe('INVALID_ARGS')
})

test('a pattern that backtracks without end gives up the line and finds the others', async () => {
  const bench = await openGrep({ 'a.txt': `${'a'.repeat(60)}!\naaa\n`, 'b.txt': 'aa\n' })
  const { text, isError } = await bench.call('grep', { pattern: '^(a+)+$' })
  expect(isError).toBe(false)
  expect(text).toContain('a.txt:2: aaa\nb.txt:1: aa\n[2 hits in 2 files; 2 files searched.]')
  expect(text).toContain('[1 line left out: the pattern takes too long on them.')
})

test('a pattern that does so on line after line ends the search, which says so', async () => {
  const bench = await openGrep({ 'a.txt': `${'a'.repeat(60)}!\n`.repeat(100) })
  const { text } = await bench.call('grep', { pattern: '^(a+)+$' })
  expect(text).toContain('[20 lines left out')
  expect(text).toContain('[The search ended early for that reason.]')
})

test('the event loop turns while such a pattern runs, and an abort ends it', async () => {
  const bench = await openGrep({ 'a.txt': `${'a'.repeat(60)}!\n`.repeat(100) })
  const controller = new AbortController()
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
    if (turns === 3) controller.abort()
  }, 1)
  const { code } = await bench.call('grep', { pattern: '^(a+)+$' }, { signal: controller.signal })
  clearInterval(timer)
  expect(code).toBe('ABORTED')
})

test('a search whose time is up keeps what it found and says so', async () => {
  const root = await openTree(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i + 100}`, 'foo\n'])))
  const search = new Search({ regex: /foo/u, maxHits: 10, signal: new AbortController().signal, budgetMs: 0 })
  const found: string[] = []
  for await (const { entry } of search.run(walk({ start: root, roots: [root] }).batches()))
    found.push(entry.relativePath)
  expect(found[0]).toBe('f100')
  expect(found.length).toBeLessThan(100)
  expect(search.tally).toMatchObject({ filesSearched: found.length, stopped: 'time' })
})
