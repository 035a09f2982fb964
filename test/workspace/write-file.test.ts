import { chmod, chown, link, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readWholeFile } from '../../src/workspace/read-file.js'
import { resolvePath } from '../../src/workspace/resolve-path.js'
import { writeWholeFile } from '../../src/workspace/write-file.js'
import { isPosix, isRoot } from '../support/platform.js'
import { openWorkbench } from '../support/workbench.js'

const bytes = Buffer.from('new\n')

// Root may write everywhere: the test runs as nobody meanwhile.
function asPlainUser(): void {
  if (!isRoot) return
  process.seteuid?.(65534)
  onTestFinished(() => process.seteuid?.(0))
}

describe('ctx.files.write', () => {
  it('answers what was saved', async () => {
    const { agent, ctx, path } = await openWorkbench()
    const saved = await ctx.files.write(agent, 'a/b.txt', bytes)
    expect(saved).toMatchObject({ path: path('a', 'b.txt'), realPath: path('a', 'b.txt'), text: 'new\n' })
    expect((await ctx.files.read(agent, 'a/b.txt')).hash).toBe(saved.hash)
  })

  it.each([0, 256 * 1024 - 1, 256 * 1024, 600 * 1024])('and a read answer all %i bytes', async length => {
    const { agent, ctx, path } = await openWorkbench()
    const whole = Buffer.alloc(length, 'line\n')
    await ctx.files.write(agent, 'a', whole)
    expect((await readFile(path('a'))).equals(whole)).toBe(true)
    expect((await ctx.files.read(agent, 'a')).bytes.equals(whole)).toBe(true)
  })

  it('gives a new file the usual mode', async () => {
    const { agent, ctx, path, put } = await openWorkbench()
    await ctx.files.write(agent, 'a', bytes)
    await put('b', 'x')
    expect((await stat(path('a'))).mode).toBe((await stat(path('b'))).mode)
  })

  it('replaces by rename: a reader keeps the old file whole, a hard link keeps its own (B15)', async () => {
    const { agent, ctx, path, put } = await openWorkbench()
    await put('a', 'old\n')
    await link(path('a'), path('b'))
    await ctx.files.write(agent, 'a', bytes)
    expect(await readFile(path('b'), 'utf8')).toBe('old\n')
    expect(await readFile(path('a'), 'utf8')).toBe('new\n')
  })

  it('refuses when the file is no longer the one that was read, and leaves the other alone (B16)', async () => {
    const { agent, ctx, dir, path, put } = await openWorkbench()
    await put('a', 'old\n')
    const replacing = await ctx.files.read(agent, 'a')
    await put('a', 'user saved this\n')
    const changed = { code: 'CHANGED_SINCE_READ' }
    await expect(ctx.files.write(agent, 'a', bytes, { replacing })).rejects.toMatchObject(changed)
    await expect(ctx.files.write(agent, 'a', bytes, { replacing: null })).rejects.toMatchObject(changed)
    expect(await readFile(path('a'), 'utf8')).toBe('user saved this\n')
    expect(await readdir(dir)).toEqual(['a'])
  })

  it('writes nothing after an abort', async () => {
    const { agent, ctx, dir } = await openWorkbench()
    const signal = AbortSignal.abort()
    await expect(ctx.files.write(agent, 'x/y/a', bytes, { signal })).rejects.toMatchObject({ code: 'ABORTED' })
    expect(await readdir(dir)).toEqual([])
  })

  it('fails cleanly where a file or a directory is in the way', async () => {
    const { agent, ctx, dir, path, put } = await openWorkbench()
    await put('file', 'x')
    await mkdir(path('dir'))
    await expect(ctx.files.write(agent, 'dir', bytes)).rejects.toMatchObject({ code: 'NOT_A_FILE' })
    await expect(ctx.files.write(agent, 'new/', bytes)).rejects.toMatchObject({ code: 'NOT_A_FILE' })
    await expect(ctx.files.write(agent, 'file/below', bytes)).rejects.toMatchObject({
      message: 'Cannot write file/below: a part of the path before its last name is no directory.',
    })
    expect(await readdir(dir)).toEqual(['dir', 'file'])
  })

  it('takes a name of the greatest length, and removes the folders it made when a name is longer', async () => {
    const { agent, ctx, dir, path } = await openWorkbench()
    const name = 'n'.repeat(250)
    await ctx.files.write(agent, name, bytes)
    expect(await readFile(path(name), 'utf8')).toBe('new\n')
    const tooLong = { code: 'FILE_FAILED', message: /the name is too long/ }
    await expect(ctx.files.write(agent, `made/too/${'n'.repeat(300)}`, bytes)).rejects.toMatchObject(tooLong)
    expect(await readdir(dir)).toEqual([name])
  })

  it.runIf(isPosix)('says that permission is denied, and leaves no temporary file', async () => {
    const { agent, ctx, dir, path } = await openWorkbench()
    await mkdir(path('locked'))
    await writeFile(path('locked', 'a'), 'old\n')
    await chmod(path('locked'), 0o555)
    await chmod(dir, 0o777)
    asPlainUser()
    const denied = { code: 'FILE_FAILED', message: /^Cannot write .*: permission denied\.$/ }
    for (const spoken of ['locked/a', 'locked/new', 'locked/deep/new']) {
      await expect(ctx.files.write(agent, spoken, bytes), spoken).rejects.toMatchObject(denied)
    }
    expect(await readdir(path('locked'))).toEqual(['a'])
    expect(await readdir(dir)).toEqual(['locked'])
    expect(await readFile(path('locked', 'a'), 'utf8')).toBe('old\n')
  })

  it.runIf(!isRoot)('does not replace a file that is read-only', async () => {
    const { agent, ctx, put, bytes: bytesOf } = await openWorkbench()
    await chmod(await put('a', 'old\n'), 0o444)
    await expect(ctx.files.write(agent, 'a', bytes)).rejects.toMatchObject({ code: 'FILE_FAILED' })
    expect((await bytesOf('a')).toString()).toBe('old\n')
  })

  it.runIf(isRoot)('keeps the owner of a file that root writes', async () => {
    const { agent, ctx, path, put } = await openWorkbench()
    await chown(await put('a', 'old'), 1234, 1235)
    await ctx.files.write(agent, 'a', bytes)
    expect(await stat(path('a'))).toMatchObject({ uid: 1234, gid: 1235 })
  })

  it('notices a folder that became a link after the path was resolved, and leaves nothing behind it (B63)', async () => {
    const { agent, path } = await openWorkbench()
    const other = await openWorkbench()
    await other.put('a', 'outside\n')
    await mkdir(path('d'))
    await writeFile(path('d', 'a'), 'inside\n')
    const resolved = await resolvePath(agent, 'd/a')
    await rename(path('d'), path('moved'))
    await symlink(other.dir, path('d'))
    const moved = { code: 'FILE_FAILED', message: /moved or replaced/ }
    await expect(writeWholeFile(resolved, bytes)).rejects.toMatchObject(moved)
    await expect(readWholeFile(resolved)).rejects.toMatchObject(moved)
    expect(await readdir(other.dir)).toEqual(['a'])
    expect((await other.bytes('a')).toString()).toBe('outside\n')
  })
})
