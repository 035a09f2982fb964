import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openUndoBench } from './support.js'

const names = ['a.txt', 'b', 'd/c.txt', 'd/e/f.txt']
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map(each => Buffer.from(each)),
  fc.constantFrom('', 'a\n', '\ufeffa\r\nb\r\n', 'no newline', 'ä\r').map(text => Buffer.from(text)),
)
const change = fc.record({ name: fc.constantFrom(...names), bytes: fc.option(bytes) })
const tree = fc.dictionary(fc.constantFrom(...names), bytes)

async function contentsOf(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const contents = await Promise.all(files.sort().map(async path => [path, (await readFile(path)).toString('hex')]))
  return Object.fromEntries(contents) as Record<string, string>
}

describe('undo', () => {
  it('restores the bytes of every file that a turn changed in any way, and undone twice nothing has changed', async () => {
    const bench = await openUndoBench()
    await fc.assert(
      fc.asyncProperty(tree, fc.array(change, { minLength: 1, maxLength: 8 }), async (files, changes) => {
        for (const name of await readdir(bench.dir)) await rm(bench.path(name), { recursive: true })
        for (const [name, content] of Object.entries(files)) {
          await mkdir(dirname(bench.path(name)), { recursive: true })
          await writeFile(bench.path(name), content)
        }
        const before = await contentsOf(bench.dir)
        bench.turn()
        const agent = { ...bench.agent, turnId: `random-${Math.random()}` }
        for (const { name, bytes: content } of changes) {
          if (content === null) await bench.ctx.files.remove(agent, name)
          else await bench.ctx.files.write(agent, name, content)
        }
        const after = await contentsOf(bench.dir)
        if (JSON.stringify(before) === JSON.stringify(after)) return
        expect((await bench.undo()).isError).toBe(false)
        expect(await contentsOf(bench.dir)).toEqual(before)
        await bench.undo()
        expect(await contentsOf(bench.dir)).toEqual(after)
      }),
      { numRuns: 25 },
    )
  }, 60_000)
})
