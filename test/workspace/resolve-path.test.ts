import { mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isInside, resolvePath } from '../../src/workspace/resolve-path.js'
import { openWorkbench } from '../support/workbench.js'

async function outsideDir(): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-outside-')))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}

describe('resolvePath', () => {
  it('resolves against the cwd of the agent, not of the process (B40)', async () => {
    const { agent, dir, path } = await openWorkbench()
    expect(await resolvePath(agent, 'sub/../a.txt')).toEqual({
      spoken: 'sub/../a.txt',
      path: path('a.txt'),
      realPath: path('a.txt'),
      inside: true,
    })
    expect((await resolvePath(agent, '~')).path).toBe(join(dir, '~'))
  })

  it('needs an absolute path without an agent', async () => {
    const { path } = await openWorkbench()
    await expect(resolvePath(undefined, 'a.txt')).rejects.toMatchObject({ code: 'NO_WORKSPACE' })
    expect((await resolvePath(undefined, path('a.txt'))).inside).toBe(true)
  })

  it.each(['', '  ', 'a\0b'])('refuses %j', async spoken => {
    const { agent } = await openWorkbench()
    await expect(resolvePath(agent, spoken)).rejects.toMatchObject({ code: 'INVALID_ARGS' })
  })

  it('keeps the spelling of a linked cwd and finds both spellings inside, with one real path (B42)', async () => {
    const { dir, path } = await openWorkbench()
    const link = join(await outsideDir(), 'L')
    await symlink(dir, link)
    const agent = { sessionId: 's', cwd: link, roots: [link] }
    const spoken = await Promise.all(['a.txt', path('a.txt'), join(link, 'a.txt')].map(one => resolvePath(agent, one)))
    expect(spoken.map(one => one.inside)).toEqual([true, true, true])
    expect(new Set(spoken.map(one => one.realPath))).toEqual(new Set([path('a.txt')]))
    expect(spoken[0]?.path).toBe(join(link, 'a.txt'))
  })

  it('judges by where a path really leads: linked ancestors, dangling links, dots, siblings (B63)', async () => {
    const { agent, dir, path } = await openWorkbench()
    const out = await outsideDir()
    await symlink(out, path('d'))
    await symlink(join(out, 'none'), path('l'))
    await symlink('l', path('l2'))
    await symlink(`d${sep}..${sep}x`, path('up'))
    const leads = async (spoken: string) => (await resolvePath(agent, spoken)).realPath
    expect(await leads('d/new/x')).toBe(join(out, 'new', 'x'))
    expect(await leads('l')).toBe(join(out, 'none'))
    expect(await leads('l2/below')).toBe(join(out, 'none', 'below'))
    expect(await leads('up')).toBe(resolve(out, '..', 'x'))
    for (const spoken of ['d/new/x', 'l', 'l2', 'up', '../x', `${dir}x/a`, sep]) {
      expect((await resolvePath(agent, spoken)).inside, spoken).toBe(false)
    }
    expect((await resolvePath(agent, '..cache/a')).inside).toBe(true)
    expect((await resolvePath(agent, '.')).inside).toBe(true)
  })

  it('takes every root, and roots that do not exist', async () => {
    const { agent, dir } = await openWorkbench()
    const out = await outsideDir()
    const wide = { ...agent, roots: [dir, join(out, 'missing'), out] }
    expect((await resolvePath(wide, join(out, 'a'))).inside).toBe(true)
    expect((await resolvePath({ ...agent, roots: [join(out, 'missing')] }, join(out, 'a'))).inside).toBe(false)
  })

  it('says that links lead in a circle, and that a name is too long', async () => {
    const { agent, path } = await openWorkbench()
    await symlink('two', path('one'))
    await symlink('one', path('two'))
    await expect(resolvePath(agent, 'one')).rejects.toMatchObject({ code: 'FILE_FAILED', message: /circle/ })
    await expect(resolvePath(agent, 'x'.repeat(300))).rejects.toMatchObject({ message: /name is too long/ })
    await expect(resolvePath(agent, 'x/'.repeat(100_000))).rejects.toMatchObject({
      message: /name is too long.{1,110}$/,
    })
    await expect(resolvePath(agent, 'x/'.repeat(2000))).resolves.toMatchObject({ inside: true })
  })
})

describe('isInside', () => {
  it('compares whole segments', () => {
    const root = resolve('/w')
    expect(isInside(root, root)).toBe(true)
    expect(isInside(root, join(root, 'a', 'b'))).toBe(true)
    expect(isInside(root, join(root, '..cache'))).toBe(true)
    expect(isInside(root, resolve('/wx/a'))).toBe(false)
    expect(isInside(join(root, 'a'), root)).toBe(false)
    expect(isInside(resolve('/'), join(root, 'a'))).toBe(true)
  })
})

describe('ctx.files', () => {
  it('refuses to read and write outside, and makes nothing there (B63)', async () => {
    const { agent, ctx, path } = await openWorkbench()
    const out = await outsideDir()
    await symlink(out, path('d'))
    await symlink(join(out, 'none'), path('l'))
    for (const spoken of ['d/new/x', 'l', '../x', join(out, 'y')]) {
      const outside = { code: 'OUTSIDE_WORKSPACE' }
      await expect(ctx.files.write(agent, spoken, Buffer.from('x'))).rejects.toMatchObject(outside)
      await expect(ctx.files.read(agent, spoken)).rejects.toMatchObject(outside)
      await expect(ctx.files.readLines(agent, spoken, lineRange)).rejects.toMatchObject(outside)
      await expect(ctx.files.walk(agent, spoken)).rejects.toMatchObject(outside)
    }
    expect(await readdir(out)).toEqual([])
  })

  it('has one entry of what was seen for all spellings of a file (B42)', async () => {
    const { ctx, dir, put } = await openWorkbench()
    await put('a.txt', 'a')
    const link = join(await outsideDir(), 'L')
    await symlink(dir, link)
    await mkdir(join(dir, 'sub'))
    await symlink(join('..', 'a.txt'), join(dir, 'sub', 'b.txt'))
    const agent = { sessionId: 's', cwd: link, roots: [link] }
    const { hash, realPath, path } = await ctx.files.read(agent, 'sub/b.txt')
    expect(path).toBe(join(link, 'sub', 'b.txt'))
    ctx.files.markSeen('s', realPath, hash)
    expect(ctx.files.seen('s', (await ctx.files.read(agent, join(dir, 'a.txt'))).realPath)).toBe(hash)
    ctx.files.forget('s')
    expect(ctx.files.seen('s', realPath)).toBeUndefined()
  })

  it('takes from a logged result only well-formed entries of what was seen', async () => {
    const { ctx, path } = await openWorkbench()
    const meta = { seen: [{ path: path('a'), hash: 'h' }, { path: 1 }, null, 'x'] }
    for (const odd of [undefined, null, 'x', { seen: 'x' }, meta]) ctx.files.restoreSeen('s', odd)
    expect(ctx.files.seen('s', path('a'))).toBe('h')
  })
})

const lineRange = { first: 1, count: 1, maxBytes: 100, maxLineBytes: 100 }
