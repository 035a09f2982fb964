import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDirents } from '../../src/workspace/walk-dirents.js'
import { Pace } from '../../src/workspace/walk-pace.js'
import { areFilesUpTo } from '../../src/workspace/walk-sizes.js'
import { readSearchTexts } from '../../src/workspace/walk-text.js'
import { openTree } from './walk-support.js'

function slowPace(): Pace {
  const pace = new Pace()
  pace.took(1000)
  return pace
}

test('calls block until one is slow, then a growing number is left to the thread pool', () => {
  const pace = new Pace()
  const poolUntilQuick = () => {
    let calls = 0
    for (; !pace.blocks; calls++) pace.pooled()
    return calls
  }
  expect(pace.blocks).toBe(true)
  pace.took(10)
  const first = poolUntilQuick()
  pace.took(10)
  expect(first).toBeGreaterThan(0)
  expect(poolUntilQuick()).toBe(2 * first)
  pace.took(0)
  pace.took(10)
  expect(poolUntilQuick()).toBe(first)
})

test('a directory with many names may take longer', () => {
  const pace = new Pace()
  pace.took(2, 1000)
  expect(pace.blocks).toBe(true)
})

test('blocking or not, the same names, sizes and texts are read', async () => {
  const root = await openTree({
    'b.txt': 'text',
    'a.bin': 'a\0b',
    'large.txt': 'x'.repeat(100_000),
    'larger.txt': 'x'.repeat(300_000),
    ...Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`many/f${index}`, ''])),
  })
  await mkdir(join(root, 'd'))
  await symlink('b.txt', join(root, 'link')).catch(() => {})
  const names = ['b.txt', 'a.bin', 'large.txt', 'larger.txt', 'd', 'none', 'link']
  const paths = names.map(name => join(root, name))
  const readAll = async (open: () => Pace) => ({
    texts: await readSearchTexts(paths, 200_000, open()),
    sizes: await areFilesUpTo(paths, 200_000, open()),
    names: (await readDirents(join(root, 'many'), 5000, open())).map(({ name }) => name),
  })
  const blocking = await readAll(() => new Pace())
  expect(await readAll(slowPace)).toEqual(blocking)
  expect(blocking.texts.slice(0, 6)).toEqual([
    { kind: 'text', text: 'text' },
    { kind: 'binary' },
    { kind: 'text', text: 'x'.repeat(100_000) },
    { kind: 'large', sizeBytes: 300_000 },
    { kind: 'unreadable' },
    { kind: 'unreadable' },
  ])
  expect(blocking.sizes).toEqual([true, true, true, false, false, false, false])
  expect(blocking.names).toHaveLength(1500)
})
