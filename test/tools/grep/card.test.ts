import { expect, test } from 'vitest'
import * as grep from '../../../src/tools/grep/index.js'
import { putTree } from '../../support/tree.js'
import { openWorkbench } from '../../support/workbench.js'

test('the card of a call is a search whose directory is a path of the title, not a location', async () => {
  const bench = await openWorkbench(grep)
  const { callCard } = await bench.call('grep', { pattern: 'foo', path: 'src', glob: '*.ts' })
  expect(callCard).toEqual({ card: 'generic', kind: 'search', title: 'Search "foo" in src (*.ts)', paths: ['src'] })
  expect((await bench.call('grep', { pattern: 'foo' })).callCard).toEqual({
    card: 'generic',
    kind: 'search',
    title: 'Search "foo"',
  })
})

test('the card of a result counts, fences the hits and leads to the first hit of each file', async () => {
  const bench = await openWorkbench(grep)
  await putTree(bench.dir, { 'a.md': 'x\n# foo ```\nfoo\n', 'b.ts': 'foo\n' })
  const { resultCard, text } = await bench.call('grep', { pattern: 'foo' })
  expect(resultCard).toEqual({
    card: 'generic',
    title: 'Search "foo" (3 hits in 2 files)',
    content: [{ type: 'text', text: `\`\`\`\`\n${text}\n\`\`\`\`` }],
    locations: [
      { path: bench.path('a.md'), line: 2 },
      { path: bench.path('b.ts'), line: 1 },
    ],
  })
})

test('a search without hits has no locations, a failed one no result card', async () => {
  const bench = await openWorkbench(grep)
  const { resultCard } = await bench.call('grep', { pattern: 'foo' })
  expect(resultCard).toMatchObject({ title: 'Search "foo" (no hits)' })
  expect(resultCard).not.toHaveProperty('locations')
  expect((await bench.call('grep', { pattern: 'foo(' })).resultCard).toBeUndefined()
})

test('locations are bounded', async () => {
  const bench = await openWorkbench(grep)
  await putTree(bench.dir, Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${i}`, 'foo\n'])))
  const { resultCard } = await bench.call('grep', { pattern: 'foo' })
  expect(resultCard?.card === 'generic' && resultCard.locations).toHaveLength(50)
})

test('effects name the directory that is read, and calls may run together', async () => {
  const bench = await openWorkbench(grep)
  const definition = bench.ctx.tools.get('grep')
  expect(definition?.effects?.({ pattern: 'x' })).toEqual({ reads: ['.'] })
  expect(definition?.effects?.({ pattern: 'x', path: '.env' })).toEqual({ reads: ['.env'] })
  expect(definition?.effects?.({ pattern: 'x', glob: '/etc/*' })).toEqual({ reads: ['/etc'] })
  expect(definition?.isConcurrencySafe?.({ pattern: 'x' })).toBe(true)
})
