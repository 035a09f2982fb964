import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { putTree } from '../../support/tree.js'
import { openCommandBench } from './support.js'

const git = (cwd: string, ...args: string[]) =>
  promisify(execFile)('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'core.autocrlf=false', ...args], {
    cwd,
  })

describe('in a git repository', () => {
  it('a command that switches branches or restores shows what that did to the files, and .git never', async () => {
    const bench = await openCommandBench()
    await git(bench.dir, 'init', '-q', '-b', 'main')
    await putTree(bench.dir, { 'a.txt': 'one\n', 'src/b.txt': 'b\n', '.gitignore': 'out/\n', 'out/x': '1' })
    await git(bench.dir, 'add', '-A')
    await git(bench.dir, 'commit', '-qm', 'first')
    await git(bench.dir, 'checkout', '-qb', 'other')
    await putTree(bench.dir, { 'a.txt': 'two\n', 'only.txt': 'only here\n' })
    await git(bench.dir, 'add', '-A')
    await git(bench.dir, 'commit', '-qm', 'second')

    const switched = await bench.run('git checkout -q main; echo 2 > out/x')
    expect(switched.line).toBe('Files changed: M a.txt, D only.txt')
    expect(switched.changes).toMatchObject([
      { type: 'modified', hunks: [{ oldText: 'two\n', newText: 'one\n' }] },
      { type: 'deleted', hunks: [{ oldText: 'only here\n', newText: '' }] },
    ])
    await bench.put('a.txt', 'typed by the user\n')
    expect((await bench.run('git status --short')).line).toBeUndefined()
    const restored = await bench.run('git checkout -q a.txt')
    expect(restored.changes[0]?.hunks).toMatchObject([{ oldText: 'typed by the user\n', newText: 'one\n' }])
  })

  it('a switch that changes hundreds of files in many folders shows or counts all of them', async () => {
    const bench = await openCommandBench()
    const files = Array.from({ length: 300 }, (_, n) => `src/part${n % 40}/f${n}`)
    const put = (text: string) => putTree(bench.dir, Object.fromEntries(files.map(name => [name, text])))
    await put('one\n')
    await git(bench.dir, 'init', '-q', '-b', 'main')
    for (const text of ['one', 'two']) {
      await put(`${text}\n`)
      await git(bench.dir, 'add', '-A')
      await git(bench.dir, 'commit', '-qm', text)
    }
    const switched = await bench.run('git checkout -q HEAD~')
    expect(switched.changes[0]?.hunks).toMatchObject([{ oldText: 'two\n', newText: 'one\n' }])
    expect(switched.meta).toMatchObject({ fileChangesLeftOut: 280 })
    expect((await bench.run('git status --short')).line).toBeUndefined()
  })
})
