import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { link, mkdir, readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { putTree } from '../../support/tree.js'
import { openTreeBench, type TreeBench } from './tree-bench.js'

const isLinux = process.platform === 'linux'

/** How many folders the kernel says that this process watches. */
async function countWatches(): Promise<number> {
  if (!isLinux) return 0
  let count = 0
  for (const fd of await readdir('/proc/self/fd')) {
    const target = await readlink(`/proc/self/fd/${fd}`).catch(() => '')
    if (target !== 'anon_inode:inotify') continue
    const lines = await readFile(`/proc/self/fdinfo/${fd}`, 'utf8')
    count += lines.split('\n').filter(line => line.startsWith('inotify ')).length
  }
  return count
}

/** More events at once than the kernel keeps; it drops what comes next. */
function overflow(one: string, other: string): void {
  const limit = isLinux ? Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) : 0
  for (let n = 0; n < Math.min(limit + 100, 40_000); n++) utimesSync(n % 2 ? one : other, n, n)
}

const treeOf = ({ trees, root }: TreeBench) => trees.of([root])[0]!.watch

describe('a tree', () => {
  it('watches the folders that are followed, and none once it is closed', async () => {
    const before = await countWatches()
    const bench = await openTreeBench()
    await putTree(bench.root, { '.gitignore': 'out/\n', 'a/b/c': '1', 'out/deep/x': '1', '.git/HEAD': '1' })
    await bench.during(() => mkdir(join(bench.root, 'new', 'newer'), { recursive: true }))
    expect((await countWatches()) - before).toBe(isLinux ? 5 : 0)
    await bench.during(() => rm(join(bench.root, 'a'), { recursive: true }))
    expect((await countWatches()) - before).toBe(isLinux ? 3 : 0)
    expect(process.getActiveResourcesInfo()).not.toContain('FSEventWrap')
    bench.trees.close()
    expect((await countWatches()) - before).toBe(0)
  })

  it('that nobody uses gives its watches to one that needs them, and one in which a command runs keeps them', async () => {
    onTestFinished(() => void vi.useRealTimers())
    const bench = await openTreeBench({ maxWatches: 2 })
    const names = ['used', 'unused', 'needy']
    await putTree(bench.root, { 'used/a': '1', 'unused/a': '1', 'needy/a': '1' })
    const [used, unused, needy] = names.map(name => () => bench.trees.of([join(bench.root, name)])[0]!.watch)
    const window = await used!().begin()
    await unused!().end((await unused!().begin())!)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 })
    await needy!().end((await needy!().begin())!)
    expect([used!(), needy!()].map(({ isWatched }) => isWatched)).toEqual([isLinux, isLinux])
    await writeFile(join(bench.root, 'used', 'a'), '2')
    expect(await used!().end(window!)).toBe(true)
    expect([...window!.before.keys()]).toEqual([join(bench.root, 'used', 'a')])
  })

  it('with more folders than may be watched is looked at as a whole, within the limits of that', async () => {
    const bench = await openTreeBench({ maxWatches: 2, maxFiles: 4 })
    await putTree(bench.root, { 'a/a': '1', 'b/b': '1', 'c/c': '1' })
    expect(await bench.during(() => writeFile(join(bench.root, 'b', 'b'), '2'))).toEqual({ 'b/b': ['1', '2'] })
    expect(treeOf(bench).isWatched).toBe(false)
    await bench.during(() => putTree(bench.root, { 'd/d': '1', 'd/e': '1' }))
    expect(await bench.during(() => writeFile(join(bench.root, 'b', 'b'), '3'))).toEqual({})
  })

  it('of which folders can no longer all be watched is looked at as a whole from then on', async () => {
    const bench = await openTreeBench({ maxWatches: 2 })
    await putTree(bench.root, { 'a/a': '1' })
    await bench.during(() => undefined)
    expect(treeOf(bench).isWatched).toBe(isLinux)
    const grown = await bench.during(() => putTree(bench.root, { 'b/b': '1', 'a/a': '2' }))
    expect(grown).toEqual({ 'a/a': ['1', '2'], 'b/b': [null, '1'] })
    expect(treeOf(bench).isWatched).toBe(false)
    expect(await bench.during(() => rm(join(bench.root, 'b'), { recursive: true }))).toEqual({ 'b/b': ['1', null] })
  })

  it('is told of truly when the system has dropped events, and is followed on after that', async () => {
    const bench = await openTreeBench()
    const [d, e] = [join(bench.root, 'd'), join(bench.root, 'd', 'e')]
    await putTree(bench.root, { 'flood/a': '1', 'flood/b': '1', 'd/a': '1', 'd/e/a': '1' })
    const told = await bench.during(() => {
      overflow(join(bench.root, 'flood', 'a'), join(bench.root, 'flood', 'b'))
      writeFileSync(join(d, 'a'), '2')
      renameSync(e, `${bench.root}-e`)
      mkdirSync(e)
      writeFileSync(join(e, 'a'), '2')
      writeFileSync(join(e, 'b'), '2')
    })
    expect(told).toEqual({ 'd/a': ['1', '2'], 'd/e/a': ['1', '2'], 'd/e/b': [null, '2'] })
    const next = await bench.during(() => writeFile(join(e, 'a'), '3'))
    expect(next).toEqual({ 'd/e/a': ['2', '3'] })
    expect(treeOf(bench).isWatched).toBe(isLinux)
  })

  it('is told of a change under each name of a file', async () => {
    const bench = await openTreeBench()
    const [a, b] = [join(bench.root, 'd', 'a'), join(bench.root, 'e', 'b')]
    await putTree(bench.root, { 'd/a': '1', 'e/other': '1' })
    const linked = await bench.during(() => link(a, b).then(() => writeFile(b, '2')))
    expect(linked).toEqual({ 'd/a': ['1', '2'], 'e/b': [null, '2'] })
    expect(await bench.during(() => writeFile(b, '3'))).toEqual({ 'd/a': ['2', '3'], 'e/b': ['2', '3'] })
  })

  it('finds a change without an event later, as nobody’s, and shows the next one against it', async () => {
    const bench = await openTreeBench()
    await putTree(bench.root, { 'a.txt': 'one' })
    await bench.during(() => undefined)
    const outside = join(bench.root, '..', 'outside')
    await link(join(bench.root, 'a.txt'), outside)
    await writeFile(outside, 'two')
    treeOf(bench).settle()
    expect(await bench.during(() => undefined)).toEqual({})
    const next = await bench.during(() => writeFile(join(bench.root, 'a.txt'), 'three'))
    expect(next).toEqual({ 'a.txt': ['two', 'three'] })
    expect(await bench.during(() => writeFile(outside, 'four'))).toEqual({ 'a.txt': ['three', 'four'] })
  })

  it('that is moved away and back, or has another in its place, is followed on', async () => {
    const bench = await openTreeBench()
    const aside = `${bench.root}-aside`
    await putTree(bench.root, { 'd/a': 'one' })
    await bench.during(() => undefined)
    expect(await bench.during(() => rename(bench.root, aside))).toEqual({ 'd/a': ['one', null] })
    await putTree(bench.root, { 'd/a': 'other' })
    await bench.during(() => undefined)
    expect(await bench.during(() => writeFile(join(bench.root, 'd', 'a'), 'new'))).toEqual({ 'd/a': ['other', 'new'] })
  })
})
