import { chmod, mkdir, symlink } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { putTree } from '../../support/tree.js'
import { openCommandBench } from './support.js'

describe('a command that changes files', () => {
  it('names them to the model in one line and shows each with its hunks', async () => {
    const bench = await openCommandBench()
    await putTree(bench.dir, { 'src/a.ts': 'one\ntwo\n', 'gone.txt': 'bye\n', 'same.txt': 'same\n' })
    const ran = await bench.run('echo three >> src/a.ts; rm gone.txt; echo new > b.txt; touch same.txt; echo out')
    expect(ran.text).toBe('out\nFiles changed: A b.txt, D gone.txt, M src/a.ts')
    expect(ran.changes).toEqual([
      {
        type: 'created',
        path: bench.path('b.txt'),
        hunks: [{ path: bench.path('b.txt'), oldText: null, newText: 'new\n', line: 1 }],
      },
      {
        type: 'deleted',
        path: bench.path('gone.txt'),
        hunks: [{ path: bench.path('gone.txt'), oldText: 'bye\n', newText: '', line: 1 }],
      },
      {
        type: 'modified',
        path: bench.path('src/a.ts'),
        hunks: [{ path: bench.path('src/a.ts'), oldText: 'one\ntwo\n', newText: 'one\ntwo\nthree\n', line: 3 }],
      },
    ])
    expect(ran.meta).toMatchObject({ exitCode: 0 })
  })

  it('leaves the result of one that changes nothing as it is', async () => {
    const bench = await openCommandBench()
    await putTree(bench.dir, { 'a.txt': 'a\n' })
    const ran = await bench.run('cat a.txt')
    expect(ran.text).toBe('a\n')
    expect(ran.meta).not.toHaveProperty('fileChanges')
  })

  it('shows what a failing command did, and it stays failed (B34)', async () => {
    const bench = await openCommandBench()
    await putTree(bench.dir, { 'a.txt': 'a\n' })
    const ran = await bench.run('echo b > a.txt; exit 3')
    expect(ran).toMatchObject({ isError: true, meta: { exitCode: 3 }, line: 'Files changed: M a.txt' })
    expect(ran.changes[0]?.hunks).toMatchObject([{ oldText: 'a\n', newText: 'b\n' }])
  })

  it('is told from what others changed between a look ahead and the command', async () => {
    const bench = await openCommandBench()
    await putTree(bench.dir, { 'a.txt': 'a\n', 'b.txt': 'b\n' })
    bench.ctx.emit('session/idle', [bench.dir])
    await putTree(bench.dir, { 'b.txt': 'of the user\n', 'c.txt': 'of the user\n' })
    const ran = await bench.run('echo b > a.txt; cat b.txt >> c.txt')
    expect(ran.line).toBe('Files changed: M a.txt, M c.txt')
    expect(ran.changes[1]?.hunks).toMatchObject([{ newText: 'of the user\nof the user\n' }])
  })

  it('shows a command after others against what those left, and edits of tools or the user as nobody’s command', async () => {
    const bench = await openCommandBench()
    await putTree(bench.dir, { 'a.txt': 'a\n' })
    expect((await bench.run('echo 1 >> a.txt')).line).toBe('Files changed: M a.txt')
    await bench.put('a.txt', 'a\n1\nuser\n')
    await bench.put('user.txt', 'x\n')
    await bench.call('edit', { path: 'a.txt', old_string: '1', new_string: 'one' })
    expect((await bench.run('true')).line).toBeUndefined()
    const ran = await bench.run('echo 2 >> a.txt')
    expect(ran.changes[0]?.hunks).toMatchObject([{ oldText: 'a\none\nuser\n', newText: 'a\none\nuser\n2\n' }])
  })

  it('finds new folders, hidden files and files below them, and what ignore rules leave out stays out', async () => {
    const bench = await openCommandBench()
    await putTree(bench.dir, { '.gitignore': 'dist/\n*.log\n', 'a.txt': 'a\n' })
    await mkdir(bench.path('empty', 'deeper'), { recursive: true })
    const first = await bench.run(
      'mkdir -p new/x dist; echo 1 > new/x/f; echo 1 > dist/f; echo 1 > z.log; echo 1 > .hidden',
    )
    expect(first.line).toBe('Files changed: A .hidden, A new/x/f')
    expect((await bench.run('echo 1 > empty/deeper/f; echo 2 > new/x/f')).line).toBe(
      'Files changed: A empty/deeper/f, M new/x/f',
    )
    expect((await bench.run('echo 2 > dist/f; rm -r new; echo "*.txt" >> .gitignore')).line).toBe(
      'Files changed: M .gitignore, D new/x/f',
    )
    expect((await bench.run('echo b > a.txt; echo b > b.txt')).line).toBeUndefined()
  })

  it('never takes up a file whose name says secret', async () => {
    const bench = await openCommandBench()
    await putTree(bench.dir, { '.env': 'KEY=1\n' })
    const ran = await bench.run('echo KEY=2 > .env; echo x > a')
    expect(ran.line).toBe('Files changed: A a')
    expect(JSON.stringify(ran)).not.toContain('KEY')
  })

  it('tells a moved file from one that went and one that came', async () => {
    const bench = await openCommandBench()
    await putTree(bench.dir, { 'old.txt': 'text\n', 'other.txt': 'other\n' })
    const ran = await bench.run('mv old.txt moved.txt; rm other.txt; echo new > fresh.txt')
    expect(ran.line).toBe('Files changed: A fresh.txt, R old.txt -> moved.txt, D other.txt')
    expect(ran.changes[1]).toEqual({
      type: 'moved',
      path: bench.path('moved.txt'),
      movedFrom: bench.path('old.txt'),
      hunks: [],
    })
  })

  it('describes binary and large files with their sizes', async () => {
    const bench = await openCommandBench({ maxFileBytes: 100 })
    await putTree(bench.dir, { 'b.bin': Buffer.from([0, 1, 2]), 'large.txt': 'x\n'.repeat(100) })
    const ran = await bench.run("printf '\\0\\1' > b.bin; echo more >> large.txt; seq 1 100 > c.txt")
    expect(ran.changes.map(({ type, reason, hunks }) => [type, reason, hunks])).toEqual([
      ['modified', 'No copy of its earlier content was kept (3 bytes before, 2 bytes after).', []],
      ['created', 'The file is too large to show (292 bytes after).', []],
      ['modified', 'The file is too large to show (200 bytes before, 205 bytes after).', []],
    ])
  })

  it('says so where no copy of the earlier content was kept', async () => {
    const bench = await openCommandBench({ maxCopyBytes: 0 })
    await putTree(bench.dir, { 'a.txt': 'a\n', 'b.txt': 'b\n' })
    const ran = await bench.run('echo more >> a.txt; rm b.txt')
    expect(ran.changes).toMatchObject([
      { type: 'modified', reason: 'No copy of its earlier content was kept (2 bytes before, 7 bytes after).' },
      { type: 'deleted', reason: 'No copy of its earlier content was kept (2 bytes before).' },
    ])
  })

  it('shows the first files of many and names or counts the others', async () => {
    const bench = await openCommandBench({ maxShown: 3 })
    const ran = await bench.run('for i in $(seq 100 160); do echo $i > f$i; done')
    expect(ran.changes).toHaveLength(3)
    expect(ran.meta).toMatchObject({ fileChangesLeftOut: 58 })
    expect(ran.line).toMatch(/^Files changed: A f100, A f101, .*A f149, and 11 more$/)
  })

  it('spells paths as the session does, in every root, also through a linked cwd (B42)', async () => {
    const bench = await openCommandBench()
    await putTree(bench.dir, { 'real/a.txt': 'a\n', 'lib/b.txt': 'b\n' })
    await symlink(bench.path('real'), bench.path('link'))
    const cwd = bench.path('link')
    const agent = { ...bench.agent, cwd, roots: [cwd, bench.path('lib'), bench.path('real')] }
    const ran = await bench.run('echo x >> a.txt; echo x >> ../lib/b.txt', { agent })
    expect(ran.changes.map(({ path }) => path)).toEqual([bench.path('link', 'a.txt'), bench.path('lib', 'b.txt')])
    expect(ran.line).toBe(`Files changed: M a.txt, M ${bench.path('lib', 'b.txt')}`)
  })
})

describe('the file-change gate', () => {
  it('does not refresh what the session has seen: a write after it is refused (B16)', async () => {
    const bench = await openCommandBench()
    await bench.put('a.txt', 'a\n')
    await bench.call('read', { path: 'a.txt' })
    await bench.run('echo b > a.txt')
    expect(await bench.call('write', { path: 'a.txt', content: 'c\n' })).toMatchObject({ code: 'CHANGED_SINCE_READ' })
  })

  it('tells two commands at the same time that the changes may be the other one’s', async () => {
    const bench = await openCommandBench()
    await putTree(bench.dir, { 'a.txt': 'a\n', 'b.txt': 'b\n' })
    await bench.run('true')
    const wait = 'for i in $(seq 1000); do test -e go && break; sleep 0.02; done'
    const [one, other] = await Promise.all([
      bench.run(`echo x >> a.txt; ${wait}; echo x >> a.txt`),
      bench.run('sleep 0.05; echo x >> b.txt; touch go', { agent: { ...bench.agent, sessionId: 'other' } }),
    ])
    for (const { line } of [one, other]) {
      expect(line).toContain('another command ran at the same time; some may be its changes')
      expect(line).toContain('M b.txt')
    }
  })

  it('leaves a write of a tool at the same time to that tool', async () => {
    const bench = await openCommandBench()
    await putTree(bench.dir, { 'a.txt': 'a\n' })
    await bench.run('true')
    const running = bench.run('for i in $(seq 1000); do test -e go && break; sleep 0.02; done; echo c >> c.txt')
    await bench.call('edit', { path: 'a.txt', old_string: 'a', new_string: 'edited' })
    await bench.call('write', { path: 'go', content: '' })
    expect((await running).line).toBe('Files changed: A c.txt')
  })

  it('takes no file for a change that a tool was just writing', async () => {
    const bench = await openCommandBench()
    await putTree(bench.dir, { 'a.txt': 'a\n', '.deckhand-0123456789ab.tmp': 'half' })
    expect((await bench.run('rm .deckhand-0123456789ab.tmp; touch .deckhand-ba9876543210.tmp')).line).toBeUndefined()
  })

  it('follows no tree with too many files, and leaves out the agent’s own', async () => {
    const small = await openCommandBench({ maxWatchedFiles: 2, maxFiles: 2 })
    await putTree(small.dir, { a: '1', b: '2', c: '3' })
    expect((await small.run('echo x > a')).line).toBeUndefined()
    const bench = await openCommandBench()
    const own = await openCommandBench({ leaveOut: [bench.path('state')] })
    await putTree(bench.dir, { 'state/log': '1' })
    const agent = { ...bench.agent }
    expect((await own.run('echo x > state/log; echo x > a', { agent })).line).toBe('Files changed: A a')
  })

  it('runs the command also where the workspace cannot be looked at', async () => {
    const bench = await openCommandBench()
    await putTree(bench.dir, { 'locked/a': '1', b: '1' })
    await chmod(bench.path('locked'), 0)
    const ran = await bench.run('echo x > b; echo done')
    await chmod(bench.path('locked'), 0o755)
    expect(ran.text).toContain('done')
    const gone = await bench.run('echo done', { agent: { ...bench.agent, roots: [bench.path('none')] } })
    expect(gone.text).toBe('done\n')
  })
})
