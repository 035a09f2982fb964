import { chmod, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { HarnessError } from '../../src/cards/index.js'
import type { FileWrite } from '../../src/workspace/index.js'
import { openWorkbench } from '../support/workbench.js'
import { openEditorBench } from './client-files-support.js'

describe('changing a file through its editor', () => {
  it('lands in the buffer and in the file, and asks just before the write', async () => {
    const { bytes, call, editor, put, requests } = await openEditorBench()
    const path = await put('a', 'one\ntwo\n')
    const { meta, resultCard } = await call('edit', { path: 'a', old_string: 'two', new_string: 'zwei' })
    expect(editor.textOf(path)).toBe('one\nzwei\n')
    expect((await bytes('a')).toString()).toBe('one\nzwei\n')
    expect(requests().slice(-2)).toEqual(['read a', 'write a'])
    expect(meta).toMatchObject({ type: 'modified', seen: [{ path }] })
    expect(resultCard).toMatchObject({
      card: 'diff',
      diffs: [{ oldText: 'one\ntwo\n', newText: 'one\nzwei\n', line: 2 }],
    })
  })

  it('works on unsaved text, which is saved with it', async () => {
    const { bytes, call, editor, put } = await openEditorBench({ isLater: true })
    editor.type(await put('a', 'one\n'), 'zero\none\n')
    const { meta } = await call('edit', { path: 'a', old_string: 'zero\none', new_string: 'zero\neins' })
    expect((await bytes('a')).toString()).toBe('zero\neins\n')
    expect(meta).toMatchObject({ hunks: [{ oldText: 'zero\none\n', newText: 'zero\neins\n' }] })
  })

  it('shows in the hunks what the formatter made of it, and knows those bytes afterwards', async () => {
    const format = (text: string) => text.replaceAll('"', "'")
    const { bytes, call, put } = await openEditorBench({ format })
    await put('a', "x = 'a'\n")
    const { meta } = await call('edit', { path: 'a', old_string: "'a'", new_string: '"b"' })
    expect(meta).toMatchObject({ hunks: [{ oldText: "x = 'a'\n", newText: "x = 'b'\n" }] })
    expect(await call('write', { path: 'a', content: 'x = "c"\n' })).toMatchObject({ isError: false })
    expect((await bytes('a')).toString()).toBe("x = 'c'\n")
    const created = await call('write', { path: 'new', content: '"n"\n' })
    expect(created.meta).toMatchObject({ type: 'created', hunks: [{ oldText: null, newText: "'n'\n" }] })
  })

  it('says so when the formatter undoes the change', async () => {
    const { bytes, call, put } = await openEditorBench({ format: text => `${text.trimEnd()}\n` })
    await put('a', 'one\n')
    const { code, text } = await call('edit', { path: 'a', old_string: 'one', new_string: 'one  ' })
    expect(code).toBe('EDITOR_FAILED')
    expect(text).toMatch(/the file is as it was before/)
    expect((await bytes('a')).toString()).toBe('one\n')
  })

  it('keeps what the user types while it is under way, and shows it', async () => {
    const { bytes, call, editor, put } = await openEditorBench()
    const path = await put('a', 'one\n')
    editor.options.onRequest = ({ method }) => {
      if (method === 'write') editor.type(path, 'typed\none\n')
    }
    const { meta } = await call('edit', { path: 'a', old_string: 'one', new_string: 'eins' })
    expect((await bytes('a')).toString()).toBe('typed\neins\n')
    expect(meta).toMatchObject({ hunks: [{ oldText: 'one\n', newText: 'typed\neins\n' }] })
  })

  it('refuses to replace text that was typed since the read (B16)', async () => {
    const { bytes, call, editor, put, requests } = await openEditorBench()
    const path = await put('a', 'one\n')
    await call('read', { path: 'a' })
    editor.type(path, 'one, typed\n')
    expect((await call('write', { path: 'a', content: 'new\n' })).code).toBe('CHANGED_SINCE_READ')
    await call('read', { path: 'a' })
    let reads = 0
    editor.options.onRequest = ({ method }) => {
      if (method === 'read' && ++reads === 2) editor.type(path, 'one, typed on\n')
    }
    expect((await call('write', { path: 'a', content: 'new\n' })).code).toBe('CHANGED_SINCE_READ')
    editor.options.onRequest = () => {}
    await call('read', { path: 'a' })
    expect(requests()).not.toContain('write a')
    expect(await call('write', { path: 'a', content: 'new\n' })).toMatchObject({ isError: false })
    expect((await bytes('a')).toString()).toBe('new\n')
  })

  it.each([
    ['lf', false],
    ['lf', true],
    ['verbatim', true],
  ] as const)('keeps CRLF and the mark of a file (%s, mark shown: %s) (B02, B05)', async (spelling, showsMark) => {
    const { bytes, call, editor, put, requests } = await openEditorBench({ spelling, showsMark })
    await put('crlf', 'one\r\ntwo\r\n')
    await put('mark', '\uFEFFone\n')
    await put('both', '\uFEFFone\r\ntwo\r\n')
    for (const path of ['crlf', 'mark', 'both']) {
      const changed = await call('edit', { path, old_string: 'one', new_string: 'eins\nplus' })
      expect(changed).toMatchObject({ isError: false })
    }
    expect((await bytes('crlf')).toString()).toBe('eins\r\nplus\r\ntwo\r\n')
    expect((await bytes('mark')).toString()).toBe('\uFEFFeins\nplus\n')
    expect((await bytes('both')).toString()).toBe('\uFEFFeins\r\nplus\r\ntwo\r\n')
    const sent = editor.requests.find(({ method, path }) => method === 'write' && path.endsWith('crlf'))?.text
    expect(sent).toBe(spelling === 'lf' ? 'eins\nplus\ntwo\n' : 'eins\r\nplus\r\ntwo\r\n')
    // An editor that hides the mark is not trusted to put it back.
    expect(requests().includes('write mark')).toBe(showsMark)
  })

  it('goes to the disk where the editor could not save exactly these bytes, unless text is unsaved', async () => {
    const { bytes, call, ctx, agent, editor, put, requests } = await openEditorBench({ isLater: true })
    const path = await put('a', 'one\n')
    await ctx.files.write(agent, 'a', Buffer.from('one\r\ntwo\n'))
    expect((await bytes('a')).toString()).toBe('one\r\ntwo\n')
    await put('b', 'one\n')
    editor.carries = () => false
    expect(await call('edit', { path: 'b', old_string: 'one', new_string: 'eins' })).toMatchObject({ isError: false })
    expect((await bytes('b')).toString()).toBe('eins\n')
    editor.type(path.replace(/a$/, 'b'), 'typed\n')
    const { code, text } = await call('edit', { path: 'b', old_string: 'typed', new_string: 'x' })
    expect(code).toBe('EDITOR_FAILED')
    expect(text).toMatch(/Nothing was written\. Save the file in the editor/)
    expect(requests().filter(request => request.startsWith('write'))).toEqual([])
  })

  it('writes nothing anywhere when the editor refuses', async () => {
    const { bytes, call, ctx, agent, dir, editor, put } = await openEditorBench()
    await put('a', 'one\n')
    editor.options.onRequest = ({ method }) => {
      if (method === 'write') throw new HarnessError('EDITOR_FAILED', 'The user said no.')
    }
    const { code, text } = await call('edit', { path: 'a', old_string: 'one', new_string: 'x' })
    expect([code, text]).toEqual(['EDITOR_FAILED', 'The user said no.'])
    await expect(ctx.files.write(agent, 'new/deep/b', Buffer.from('x'))).rejects.toMatchObject({
      code: 'EDITOR_FAILED',
    })
    expect((await bytes('a')).toString()).toBe('one\n')
    expect(await readdir(dir)).toEqual(['a'])
  })

  it('does not write what it could not compare: an editor that fails when it is asked before the write', async () => {
    const { bytes, call, editor, put } = await openEditorBench()
    await put('a', 'one\n')
    editor.options.onRequest = () => {
      throw new HarnessError('EDITOR_FAILED', 'No answer.')
    }
    const failed = { code: 'EDITOR_FAILED', text: 'No answer.' }
    expect(await call('edit', { path: 'a', old_string: 'one', new_string: 'x' })).toMatchObject(failed)
    expect((await bytes('a')).toString()).toBe('one\n')
  })

  it('is done if the text arrived although the answer did not', async () => {
    const { call, editor, put, path } = await openEditorBench()
    await put('a', 'one\n')
    const write = editor.write.bind(editor)
    editor.write = async (at, text) => {
      await write(at, text)
      throw new HarnessError('EDITOR_FAILED', 'The connection has ended.')
    }
    expect(await call('edit', { path: 'a', old_string: 'one', new_string: 'x' })).toMatchObject({ isError: false })
    expect(await readFile(path('a'), 'utf8')).toBe('x\n')
  })

  it('saves by itself what an editor only puts into its buffer', async () => {
    const { bytes, call, put } = await openEditorBench({ saves: false })
    await put('a', 'one\n')
    expect(await call('edit', { path: 'a', old_string: 'one', new_string: 'x' })).toMatchObject({ isError: false })
    expect((await bytes('a')).toString()).toBe('x\n')
    expect(await call('write', { path: 'new/b', content: 'b\n' })).toMatchObject({ isError: false })
    expect((await bytes('new/b')).toString()).toBe('b\n')
  })

  it('creates files through the editor, with their folders, and by itself where the editor does not serve them', async () => {
    const { bytes, call, editor, put, requests } = await openEditorBench()
    await call('write', { path: 'x/y/a', content: 'a\n' })
    expect(requests()).toContain('write x/y/a')
    expect((await bytes('x/y/a')).toString()).toBe('a\n')
    await call('write', { path: 'crlf', content: 'a\r\nb\r\n' })
    expect((await bytes('crlf')).toString()).toBe('a\r\nb\r\n')
    editor.options.knows = () => false
    await put('old', 'old\n')
    expect(await call('write', { path: 'z/b', content: 'b\n' })).toMatchObject({ isError: false })
    expect(await call('edit', { path: 'old', old_string: 'old', new_string: 'new' })).toMatchObject({ isError: false })
    expect((await bytes('z/b')).toString()).toBe('b\n')
    expect((await bytes('old')).toString()).toBe('new\n')
  })

  it('keeps mode bits and links', async () => {
    const { bytes, call, path, put } = await openEditorBench()
    await chmod(await put('script', 'one\n'), 0o750)
    await symlink('script', path('link'))
    expect(await call('edit', { path: 'link', old_string: 'one', new_string: 'two' })).toMatchObject({ isError: false })
    expect((await bytes('script')).toString()).toBe('two\n')
    expect((await stat(path('script'))).mode & 0o777).toBe(0o750)
  })

  it('loses none of several edits at once, of two sessions with one editor (B15)', async () => {
    const { agent, bytes, call, ctx, editor, put } = await openEditorBench()
    ctx.files.useEditor('second', editor)
    await put('a', '1\n2\n3\n4\n')
    const second = { agent: { ...agent, sessionId: 'second' } }
    await Promise.all(
      ['1', '2', '3', '4'].map((line, n) =>
        call('edit', { path: 'a', old_string: line, new_string: `line ${line}` }, n % 2 ? second : {}),
      ),
    )
    expect((await bytes('a')).toString()).toBe('line 1\nline 2\nline 3\nline 4\n')
    await call('read', { path: 'a' })
    await call('edit', { path: 'a', old_string: 'line 1', new_string: 'first' }, second)
    expect((await call('write', { path: 'a', content: 'x' })).code).toBe('CHANGED_SINCE_READ')
    ctx.files.forget('second')
  })

  it('knows what the editor saved also if no tool has marked it as seen', async () => {
    const { agent, bytes, call, ctx, editor, put } = await openEditorBench()
    const path = await put('a', 'one\n')
    await call('read', { path: 'a' })
    await ctx.files.write(agent, 'a', Buffer.from('two\n'))
    editor.type(path, 'typed\ntwo\n')
    expect(await call('edit', { path: 'a', old_string: 'two', new_string: 'zwei' })).toMatchObject({ isError: false })
    expect((await bytes('a')).toString()).toBe('typed\nzwei\n')
  })

  it('tells listeners what was really saved', async () => {
    const { call, ctx, put } = await openEditorBench({ format: text => text.toUpperCase() })
    await put('a', 'one\n')
    const told: [string, string | undefined][] = []
    const note = (when: string) => (write: FileWrite) => void told.push([when, write.bytes?.toString()])
    ctx.on('files/before-write', note('before'))
    ctx.on('files/after-write', note('after'))
    await call('edit', { path: 'a', old_string: 'one', new_string: 'two' })
    expect(told).toEqual([
      ['before', 'two\n'],
      ['after', 'TWO\n'],
    ])
  })

  it('goes to the disk for a granted path outside, which the editor is not asked about', async () => {
    const { agent, ctx, requests } = await openEditorBench()
    const other = await openWorkbench()
    const outside = await other.put('a', 'outside\n')
    await ctx.files.write({ ...agent, granted: [outside] }, outside, Buffer.from('new\n'))
    expect((await other.bytes('a')).toString()).toBe('new\n')
    expect(requests()).toEqual([])
  })
})
