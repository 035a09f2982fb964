import { appendFile, chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openUndoBench, type UndoBench } from './support.js'

async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}

async function editInTurn(bench: UndoBench, name: string, from: string, to: string): Promise<void> {
  bench.turn()
  expect(await bench.act('edit', { path: name, old_string: from, new_string: to })).toMatchObject({ isError: false })
}

describe('checkpoints', () => {
  it('survive the process: another one undoes the turn', async () => {
    const first = await openUndoBench()
    await first.put('a.txt', 'a\n')
    await editInTurn(first, 'a.txt', 'a', 'A')
    const second = await openUndoBench({}, first.state)
    const agent = { ...second.agent, cwd: first.dir, roots: [first.dir], turnId: 'turn-2' }
    expect((await second.call('undo', {}, { agent })).text).toBe('Put back: a.txt')
    expect((await first.bytes('a.txt')).toString()).toBe('a\n')
  })

  it('are readable by their owner only', async () => {
    const bench = await openUndoBench()
    await bench.put('a.txt', 'a\n')
    await editInTurn(bench, 'a.txt', 'a', 'A')
    const directory = join(bench.state, 'checkpoints')
    const paths = await filesBelow(directory)
    expect(paths).toHaveLength(2)
    for (const path of paths) expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
  })

  it('keep one copy of equal contents, and none of what a turn changes again', async () => {
    const bench = await openUndoBench()
    await bench.put('a.txt', 'same\n')
    await bench.put('b.txt', 'same\n')
    bench.turn()
    await bench.act('edit', { path: 'a.txt', old_string: 'same', new_string: '1' })
    await bench.act('edit', { path: 'b.txt', old_string: 'same', new_string: '1' })
    await bench.act('edit', { path: 'a.txt', old_string: '1', new_string: '2' })
    expect(await filesBelow(join(bench.state, 'checkpoints', 'blobs'))).toHaveLength(1)
    await bench.undo()
    expect((await bench.bytes('a.txt')).toString()).toBe('same\n')
  })

  it('stay under their limit: the oldest go first, and undo says that they are gone', async () => {
    const bench = await openUndoBench({ maxBytes: 3000 })
    for (const name of ['a', 'b', 'c', 'd']) await bench.put(name, name.repeat(1000))
    for (const name of ['a', 'b', 'c', 'd']) await editInTurn(bench, name, name.repeat(1000), 'x')
    await bench.ctx.fiber.dispose()
    const kept = await filesBelow(join(bench.state, 'checkpoints', 'blobs'))
    expect(kept.length).toBeLessThanOrEqual(3)
    const other = await openUndoBench({}, bench.state)
    const agent = { ...other.agent, cwd: bench.dir, roots: [bench.dir], turnId: 'turn-9' }
    for (const path of kept) await writeFile(path, 'damaged')
    expect((await other.call('undo', {}, { agent })).text).toContain('d, for its earlier content is no longer kept')
  })

  it('keep nothing of a file that is too large, and undo leaves it', async () => {
    const bench = await openUndoBench({ maxFileBytes: 10 })
    await bench.put('a.txt', 'a'.repeat(11))
    await editInTurn(bench, 'a.txt', 'a'.repeat(11), 'x')
    expect((await bench.undo()).text).toContain('its earlier content was not kept: the file was too large')
  })

  it('never stop a write: a state directory that cannot be written costs the undo only', async () => {
    const bench = await openUndoBench()
    await writeFile(join(bench.state, 'checkpoints'), 'in the way')
    await bench.put('a.txt', 'a\n')
    await editInTurn(bench, 'a.txt', 'a', 'A')
    expect((await bench.bytes('a.txt')).toString()).toBe('A\n')
    expect((await bench.undo()).text).toContain('its earlier content was not kept')
  })

  it('read an index with torn and foreign lines as far as it is good (B50)', async () => {
    const bench = await openUndoBench()
    await bench.put('a.txt', 'a\n')
    await editInTurn(bench, 'a.txt', 'a', 'A')
    const path = join(bench.state, 'checkpoints', 'sessions', 'bench.jsonl')
    await writeFile(path, `\0\0\n{"type":"after"}\n${await readFile(path, 'utf8')}{"type":"bef`)
    const other = await openUndoBench({}, bench.state)
    const agent = { ...other.agent, cwd: bench.dir, roots: [bench.dir] }
    const edit = { path: 'a.txt', old_string: 'A', new_string: 'AA' }
    await other.call('edit', edit, { agent: { ...agent, turnId: 'turn-2' } })
    await appendFile(path, 'null\n')
    const third = await openUndoBench({}, bench.state)
    for (const [turnId, content] of [
      ['turn-3', 'A\n'],
      ['turn-4', 'AA\n'],
    ] as const) {
      await third.call('undo', {}, { agent: { ...agent, turnId } })
      expect((await bench.bytes('a.txt')).toString()).toBe(content)
    }
  })

  it('go with their session, but for what another one needs', async () => {
    const bench = await openUndoBench()
    await bench.put('a.txt', 'shared\n')
    await bench.put('b.txt', 'own\n')
    await editInTurn(bench, 'a.txt', 'shared', 'x')
    await editInTurn(bench, 'b.txt', 'own', 'x')
    await bench.put('c.txt', 'shared\n')
    const agent = { ...bench.agent, sessionId: 'other', turnId: 't' }
    await bench.call('edit', { path: 'c.txt', old_string: 'shared', new_string: 'y' }, { agent })
    await bench.ctx.get('checkpoints')?.forget('bench')
    const names = (await filesBelow(join(bench.state, 'checkpoints'))).map(path => path.split('/').at(-1))
    expect(names).toContain('other.jsonl')
    expect(names).toHaveLength(2)
    expect((await bench.call('undo', {}, { agent: { ...agent, turnId: 'u' } })).text).toBe('Put back: c.txt')
  })

  it('are not kept for calls without a turn, and not at all with a limit of 0', async () => {
    const bench = await openUndoBench()
    await bench.put('a.txt', 'a\n')
    await bench.call('edit', { path: 'a.txt', old_string: 'a', new_string: 'A' })
    expect((await bench.undo()).text).toContain('nothing to undo')
    const off = await openUndoBench({ maxBytes: 0 })
    expect(off.ctx.tools.get('undo')).toBeUndefined()
    await chmod(off.state, 0o700)
  })
})
