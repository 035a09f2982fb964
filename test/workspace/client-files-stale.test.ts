import { rm, writeFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HarnessError } from '../../src/cards/index.js'
import { type BufferFacts, toBufferState } from '../../src/workspace/buffer-state.js'
import { openEditorBench } from './client-files-support.js'

describe('disk and buffer', () => {
  const facts: BufferFacts = {
    disk: 'D',
    buffer: 'B',
    seen: undefined,
    known: undefined,
    conflict: undefined,
    untouched: false,
  }
  const table: [string, Partial<BufferFacts>, string][] = [
    ['both hold the same', { buffer: 'D' }, 'clean'],
    ['both hold the same again after a conflict', { buffer: 'D', conflict: 'D' }, 'clean'],
    ['the session saw the disk as it is', { seen: 'D' }, 'unsaved'],
    [
      'the disk is as it was when the buffer was told apart',
      { seen: 'B', known: { disk: 'D', buffer: 'B' } },
      'unsaved',
    ],
    ['the user has typed on since', { seen: 'B0', known: { disk: 'D', buffer: 'B0' } }, 'unsaved'],
    ['the disk changed and the buffer did not', { seen: 'B', known: { disk: 'B', buffer: 'B' } }, 'stale'],
    ['the disk changed under unsaved text', { seen: 'B', known: { disk: 'D0', buffer: 'B' } }, 'stale'],
    ['we wrote the disk, and the buffer stays behind', { seen: 'D', known: { disk: 'B', buffer: 'B' } }, 'stale'],
    ['a loaded session knows only the buffer', { seen: 'B', untouched: true }, 'stale'],
    ['both changed', { seen: 'X', known: { disk: 'X', buffer: 'X' } }, 'conflict'],
    ['nothing is known and the file is new to this session', {}, 'conflict'],
    ['nothing is known and nobody touched the file since', { untouched: true }, 'unsaved'],
    ['an older session saw something else, long before', { seen: 'X', untouched: true }, 'unsaved'],
    ['the buffer of a conflict was read meanwhile', { seen: 'B', conflict: 'D' }, 'conflict'],
    ['the disk changed once more after a conflict', { seen: 'B', conflict: 'D0' }, 'stale'],
    ['the file was removed', { disk: null, seen: 'B', known: { disk: 'B', buffer: 'B' } }, 'gone'],
    ['the file was removed before this session was loaded', { disk: null, seen: 'B' }, 'gone'],
    [
      'the file was removed under unsaved text',
      { disk: null, seen: 'B', known: { disk: 'D', buffer: 'B' } },
      'unsaved',
    ],
    ['a new file was never saved', { disk: null }, 'unsaved'],
    [
      'a new file that was read is still not saved',
      { disk: null, seen: 'B', known: { disk: null, buffer: 'B' } },
      'unsaved',
    ],
  ]
  it.each(table)('%s', (_when, given, state) => {
    expect(toBufferState({ ...facts, ...given })).toBe(state)
  })

  it('never count as the user’s text if the disk has changed since it was last known', () => {
    const hash = fc.constantFrom('a', 'b', 'c', 'd')
    const maybe = fc.option(hash, { nil: undefined })
    const known = fc.record({ disk: hash, buffer: hash })
    const any = fc.record({ disk: hash, buffer: hash, seen: maybe, known, conflict: maybe, untouched: fc.boolean() })
    fc.assert(
      fc.property(any, facts => {
        fc.pre(facts.disk !== facts.known.disk && facts.disk !== facts.buffer)
        expect(toBufferState(facts)).toMatch(/stale|conflict/)
      }),
    )
  })
})

describe('a buffer that does not follow the disk', () => {
  it('is waited for: what a command wrote is read and edited', async () => {
    const { bytes, call, editor, put } = await openEditorBench({ reloads: false, settleMs: 10_000 })
    const path = await put('a', 'old\n')
    await call('read', { path: 'a' })
    await put('a', 'by a command\n')
    let asked = 0
    editor.options.onRequest = () => {
      if (++asked === 3) editor.reload(path)
    }
    expect((await call('read', { path: 'a' })).text).toContain('by a command')
    expect(await call('edit', { path: 'a', old_string: 'by a', new_string: 'after the' })).toMatchObject({
      isError: false,
    })
    expect((await bytes('a')).toString()).toBe('after the command\n')
  })

  it('is neither read nor written: the error names what to do', async () => {
    const { bytes, call, editor, put, requests } = await openEditorBench({ reloads: false })
    const path = await put('a', 'old\n')
    await call('read', { path: 'a' })
    await put('a', 'by a command\n')
    const calls = {
      read: { path: 'a' },
      edit: { path: 'a', old_string: 'old', new_string: 'new' },
      write: { path: 'a', content: 'new\n' },
    }
    for (const [name, args] of Object.entries(calls)) {
      const { code, text } = await call(name, args)
      expect(code, name).toBe('STALE_BUFFER')
      expect(text).toBe(
        "a has changed on the disk, and the editor still shows its old text. Save the file in the editor to keep that text, or reload it there to take the disk's; then try again.",
      )
    }
    expect(requests()).not.toContain('write a')
    expect((await bytes('a')).toString()).toBe('by a command\n')
    editor.reload(path)
    expect((await call('read', { path: 'a' })).text).toContain('by a command')
  })

  it('loses neither the user’s text nor the command’s: it is shown, and not written until the user has decided', async () => {
    const { bytes, call, editor, put } = await openEditorBench()
    const path = await put('a', 'old\n')
    await call('read', { path: 'a' })
    editor.type(path, 'typed\n')
    await put('a', 'by a command\n')
    const change = { path: 'a', old_string: 'typed', new_string: 'new' }
    for (let round = 0; round < 2; round++) {
      expect((await call('read', { path: 'a' })).text).toMatch(/1\ttyped\n\[The editor holds this text unsaved/)
      expect(await call('edit', change)).toMatchObject({ code: 'STALE_BUFFER', text: /holds other text/ })
      expect(await call('write', { path: 'a', content: 'x' })).toMatchObject({ code: 'STALE_BUFFER' })
    }
    expect(editor.textOf(path)).toBe('typed\n')
    expect((await bytes('a')).toString()).toBe('by a command\n')
    editor.save(path)
    expect(await call('edit', change)).toMatchObject({ isError: false })
    expect((await bytes('a')).toString()).toBe('new\n')
  })

  it('of a file that this session never saw: edited only if nobody touched the file since the session was opened', async () => {
    for (const isLater of [true, false]) {
      const { bytes, call, editor, put } = await openEditorBench({ isLater })
      editor.type(await put('a', 'disk\n'), 'typed\n')
      const { isError, code } = await call('edit', { path: 'a', old_string: 'typed', new_string: 'edited' })
      expect([isError, code]).toEqual(isLater ? [false, undefined] : [true, 'STALE_BUFFER'])
      expect((await bytes('a')).toString()).toBe(isLater ? 'edited\n' : 'disk\n')
    }
  })

  it('after the file was removed counts for nothing if it had nothing of its own', async () => {
    const { bytes, call, editor, path, put } = await openEditorBench()
    await put('a', 'old\n')
    await call('read', { path: 'a' })
    await rm(path('a'))
    expect((await call('read', { path: 'a' })).code).toBe('NOT_FOUND')
    expect(await call('write', { path: 'a', content: 'fresh\n' })).toMatchObject({ isError: false, text: /^Created a/ })
    expect((await bytes('a')).toString()).toBe('fresh\n')
    expect(editor.textOf(path('a'))).toBe('fresh\n')
  })

  it('after the file was removed still has what the user typed', async () => {
    const { call, editor, path, put } = await openEditorBench()
    await put('a', 'old\n')
    await call('read', { path: 'a' })
    editor.type(path('a'), 'old\ntyped\n')
    await rm(path('a'))
    expect((await call('write', { path: 'a', content: 'fresh\n' })).code).toBe('CHANGED_SINCE_READ')
    expect((await call('read', { path: 'a' })).text).toContain('typed')
  })

  it('after we wrote the disk ourselves is not taken for the user’s text', async () => {
    const { bytes, call, editor, put } = await openEditorBench({ reloads: false })
    const path = await put('a', 'one\ntwo\n')
    await call('read', { path: 'a' })
    editor.carries = () => false
    expect(await call('edit', { path: 'a', old_string: 'one', new_string: 'eins' })).toMatchObject({ isError: false })
    editor.carries = () => true
    const change = { path: 'a', old_string: 'two', new_string: 'zwei' }
    expect((await call('edit', change)).code).toBe('STALE_BUFFER')
    expect((await bytes('a')).toString()).toBe('eins\ntwo\n')
    editor.reload(path)
    expect(await call('edit', change)).toMatchObject({ isError: false })
    expect((await bytes('a')).toString()).toBe('eins\nzwei\n')
  })

  it('is not taken for the user’s text because the editor did not answer when the disk was read', async () => {
    const { bytes, call, editor, put } = await openEditorBench({ reloads: false })
    const path = await put('a', 'old\n')
    editor.type(path, 'old\n')
    await put('a', 'by a command\n')
    editor.options.onRequest = () => {
      throw new HarnessError('EDITOR_FAILED', 'No answer.')
    }
    expect((await call('read', { path: 'a' })).text).toContain('by a command')
    editor.options.onRequest = () => {}
    expect((await call('edit', { path: 'a', old_string: 'old', new_string: 'x' })).code).toBe('STALE_BUFFER')
    expect((await bytes('a')).toString()).toBe('by a command\n')
  })

  it('that was opened empty for a missing file does not hide the file that a command made', async () => {
    const { call, editor, path, put } = await openEditorBench({ reloads: false })
    await call('read', { path: 'a' })
    await put('a', 'made\n')
    expect((await call('read', { path: 'a' })).code).toBe('STALE_BUFFER')
    editor.reload(path('a'))
    expect((await call('read', { path: 'a' })).text).toContain('made')
  })

  it('in a session that was loaded again: the log tells what it saw', async () => {
    const { bytes, call, ctx, editor, path, put } = await openEditorBench()
    await put('a', 'old\n')
    const { meta } = await call('read', { path: 'a' })
    ctx.files.forget('bench')
    ctx.files.restoreSeen('bench', meta)
    ctx.files.useEditor('bench', editor, 0)
    editor.type(path('a'), 'typed\n')
    expect((await call('write', { path: 'a', content: 'x' })).code).toBe('CHANGED_SINCE_READ')
    await call('read', { path: 'a' })
    expect(await call('write', { path: 'a', content: 'new\n' })).toMatchObject({ isError: false })
    expect((await bytes('a')).toString()).toBe('new\n')
    await writeFile(path('a'), 'elsewhere\n')
    editor.options.reloads = false
    expect((await call('edit', { path: 'a', old_string: 'new', new_string: 'x' })).code).toBe('STALE_BUFFER')
  })
})
