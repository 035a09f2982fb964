import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { HarnessError } from '../../src/cards/index.js'
import { openWorkbench } from '../support/workbench.js'
import { openEditorBench } from './client-files-support.js'

const range = { first: 1, count: 100, maxBytes: 10_000, maxLineBytes: 1000 }

describe('reading a file that an editor has', () => {
  it('shows the unsaved text, says so, and counts it as seen', async () => {
    const { call, ctx, editor, put } = await openEditorBench()
    const path = await put('a.ts', 'one\ntwo\n')
    await call('read', { path: 'a.ts' })
    editor.type(path, 'one\nTWO\n')
    const { text, meta } = await call('read', { path: 'a.ts' })
    expect(text).toMatch(/1\tone\n +2\tTWO\n\[The editor holds this text unsaved\..*\]$/)
    const { hash } = await ctx.files.read({ sessionId: 'bench', cwd: '/', roots: ['/'] }, path)
    expect(meta).toMatchObject({ unsaved: true, lineCount: 2, seen: [{ path, hash }] })
    expect(ctx.files.seen('bench', path)).toBe(hash)
  })

  it('reads ranges of lines of the unsaved text', async () => {
    const { call, editor, put } = await openEditorBench({ isLater: true })
    editor.type(await put('a', ''), '1\n2\n3\n4')
    expect((await call('read', { path: 'a', offset: 2, limit: 2 })).text).toMatch(/^ +2\t2\n +3\t3\n\[Lines 2-3 of 4\./)
  })

  it('of which nothing is unsaved is exactly as without an editor', async () => {
    const { agent, ctx, path, put, requests } = await openEditorBench()
    const plain = await openWorkbench()
    for (const [name, content] of [
      ['lf', 'a\nb\n'],
      ['crlf', 'a\r\nb\r\n'],
      ['mark', '\uFEFFa\nb'],
      ['empty', ''],
    ] as const) {
      await put(name, content)
      const alone = await plain.ctx.files.readLines(agent, name, range)
      expect(await ctx.files.readLines(agent, name, range)).toEqual(alone)
      expect(requests()).toEqual([`read ${name}`])
      expect(await ctx.files.read(agent, name)).toEqual(await plain.ctx.files.read(agent, name))
      expect((await ctx.files.read(agent, path(name))).unsaved).toBeUndefined()
      requests()
    }
  })

  it('has the bytes that the editor would save: mark and CRLF are kept', async () => {
    for (const showsMark of [true, false]) {
      const { agent, ctx, editor, put } = await openEditorBench({ isLater: true, showsMark })
      editor.type(await put('a', '\uFEFFone\r\ntwo\r\n'), 'one\nzwei\n')
      const { bytes, text, hash } = await ctx.files.read(agent, 'a')
      expect(bytes.toString()).toBe('\uFEFFone\r\nzwei\r\n')
      expect(text).toBe('one\r\nzwei\r\n')
      expect(await ctx.files.readLines(agent, 'a', range)).toMatchObject({ hash, lineCount: 2, unsaved: true })
    }
  })

  it('takes a missing newline at the end for the way an editor answers', async () => {
    const { agent, ctx, editor, put } = await openEditorBench()
    editor.type(await put('a', 'one\n'), 'one')
    expect((await ctx.files.read(agent, 'a')).unsaved).toBeUndefined()
    editor.type(await put('b', 'one'), 'one\n')
    expect((await ctx.files.read(agent, 'b')).unsaved).toBe(true)
  })

  it('finds a file that only the editor has', async () => {
    const { agent, call, ctx, editor, path } = await openEditorBench()
    editor.type(path('new.ts'), 'draft\n')
    expect(await ctx.files.read(agent, 'new.ts')).toMatchObject({ text: 'draft\n', unsaved: true })
    expect((await call('write', { path: 'new.ts', content: 'x' })).code).toBe('NOT_READ')
    expect((await call('read', { path: 'none.ts' })).code).toBe('NOT_FOUND')
  })

  it.each([
    ['mixed line endings', Buffer.from('a\r\nb\n')],
    ['a lone CR', Buffer.from('a\rb\n')],
    ['bytes that are not UTF-8', Buffer.from('caf\xe9\n', 'latin1')],
    ['invalid UTF-8 far behind the start', Buffer.concat([Buffer.alloc(20_000, 'a'), Buffer.from([0xff])])],
    ['NUL', Buffer.from('a\0b')],
    ['more than the editor takes', Buffer.alloc(1024 * 1024 + 1, 'a\n')],
  ])('leaves a file with %s to the disk', async (_what, bytes) => {
    const { agent, ctx, put, requests } = await openEditorBench()
    await put('a', bytes)
    expect((await ctx.files.read(agent, 'a')).bytes.equals(bytes)).toBe(true)
    await ctx.files.readLines(agent, 'a', range)
    expect(requests()).toEqual([])
  })

  it('asks the editor for nothing outside the roots, granted or not', async () => {
    const { agent, ctx, path, requests } = await openEditorBench()
    const other = await openWorkbench()
    const outside = await other.put('a', 'outside\n')
    await symlink(outside, path('link'))
    const granted = { ...agent, granted: [outside] }
    expect((await ctx.files.read(granted, outside)).text).toBe('outside\n')
    expect((await ctx.files.read(granted, 'link')).text).toBe('outside\n')
    await expect(ctx.files.read(agent, 'link')).rejects.toMatchObject({ code: 'OUTSIDE_WORKSPACE' })
    await expect(ctx.files.read(agent, '.')).rejects.toMatchObject({ code: 'NOT_A_FILE' })
    expect(requests()).toEqual([])
  })

  it('asks in the spelling of the session, also for a path in another one (B42)', async () => {
    const { agent, ctx, dir, editor, path, put } = await openEditorBench()
    const other = await openWorkbench()
    await symlink(dir, other.path('linked'))
    await mkdir(path('sub'))
    await writeFile(path('sub', 'a'), 'x\n')
    await put('b', 'y\n')
    await symlink('../b', path('sub', 'to-b'))
    const cwd = other.path('linked')
    const linked = { ...agent, cwd, roots: [cwd] }
    for (const spoken of ['sub/a', path('sub', 'a'), 'sub/to-b']) await ctx.files.read(linked, spoken)
    expect(editor.requests.map(request => request.path)).toEqual([
      other.path('linked', 'sub', 'a'),
      other.path('linked', 'sub', 'a'),
      other.path('linked', 'b'),
    ])
  })

  it('goes on with the disk when the editor does not know the file, or fails', async () => {
    const { agent, ctx, editor, put } = await openEditorBench()
    await put('a', 'disk\n')
    editor.options.knows = () => false
    expect((await ctx.files.read(agent, 'a')).text).toBe('disk\n')
    editor.options = {
      onRequest: () => {
        throw new HarnessError('EDITOR_FAILED', 'busy')
      },
    }
    expect((await ctx.files.read(agent, 'a')).text).toBe('disk\n')
    expect(editor.requests).toHaveLength(2)
  })

  it('ends its wait for a stale buffer on cancel', async () => {
    const { agent, ctx, editor, put } = await openEditorBench({ reloads: false, settleMs: 60_000 })
    await put('a', 'old\n')
    await ctx.files.read(agent, 'a')
    await put('a', 'new\n')
    const stop = new AbortController()
    const reading = ctx.files.read(agent, 'a', stop.signal)
    editor.options.onRequest = () => stop.abort()
    await expect(reading).rejects.toMatchObject({ code: 'ABORTED' })
  })

  it('asks no editor once the session is forgotten, and none for other sessions', async () => {
    const { agent, ctx, put, requests } = await openEditorBench()
    await put('a', 'x\n')
    await ctx.files.read({ ...agent, sessionId: 'other' }, 'a')
    ctx.files.forget('bench')
    await ctx.files.read(agent, 'a')
    expect(requests()).toEqual([])
  })
})
