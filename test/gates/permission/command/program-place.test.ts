import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { decideCommand } from '../../../../src/gates/permission/command/index.js'

async function workspace() {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-programs-')))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const root = join(base, 'root')
  await mkdir(root)
  const put = async (name: string) => {
    const path = join(base, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, '#!/bin/sh\n')
    await chmod(path, 0o755)
    return path
  }
  const decide = (command: string, ...folders: string[]) =>
    decideCommand(command, {
      cwd: root,
      roots: [root],
      rules: { allow: [], ask: [], deny: [] },
      resolve: async path => ({ realPath: path, inside: true }),
      shell: 'sh',
      searchPath: folders.join(delimiter),
    })
  await put('bin/node')
  await put('bin/ls')
  return { base, root, put, decide, bin: join(base, 'bin') }
}

describe('a program that only looks', () => {
  it.each(['node --version', 'ls'])('%s is free where it is found outside the workspace', async command => {
    const { base, decide, bin } = await workspace()
    expect(await decide(command, join(base, 'none'), bin)).toMatchObject({ decision: 'allow' })
    expect(await decide(command, join(base, 'none'))).toMatchObject({ decision: 'allow' })
  })

  it.each(['node --version', 'ls', 'ls && pwd'])(
    '%s asks where the PATH finds a program of the workspace first',
    async command => {
      const { root, put, decide, bin } = await workspace()
      const own = join(root, 'node_modules', '.bin')
      expect(await decide(command, own, bin)).toMatchObject({ decision: 'allow' })
      await put('root/node_modules/.bin/node')
      await put('root/node_modules/.bin/ls')
      expect(await decide(command, bin, own)).toMatchObject({ decision: 'allow' })
      expect(await decide(command, own, bin)).toMatchObject({
        decision: 'ask',
        onlyLooks: false,
        because: expect.stringContaining('stands in the workspace'),
      })
    },
  )

  it('asks where it leads into the workspace, and where the PATH depends on the folder', async () => {
    const { base, put, decide, bin } = await workspace()
    await mkdir(join(base, 'links'))
    await symlink(await put('root/tools/ls.js'), join(base, 'links', 'ls'))
    expect(await decide('ls', join(base, 'links'), bin)).toMatchObject({ decision: 'ask' })
    await put('root/rel/ls')
    for (const relative of ['rel', './rel']) {
      expect(await decide('ls', relative, bin)).toMatchObject({ decision: 'ask' })
    }
    await put('root/ls')
    expect(await decide('ls', '', bin)).toMatchObject({ decision: 'ask' })
    expect(await decide('echo text', '', bin)).toMatchObject({ decision: 'allow' })
  })

  it.each(['.asdf/shims/node', 'mise', 'nodejs/corepack/shim'])('asks where it is a stand-in: %s', async target => {
    const { base, put, decide } = await workspace()
    const path = await put(target)
    await mkdir(join(base, 'links'))
    await symlink(path, join(base, 'links', 'node'))
    expect(await decide('node --version', join(base, 'links'))).toMatchObject({ decision: 'ask' })
  })

  it.each([
    'yarn',
    'pnpm',
    'cargo',
    'rustc',
    'go',
    'dotnet',
    'mvn',
    'gradle',
    'bazel',
    'composer',
    'some-tool',
    './node',
    '/usr/bin/node',
  ])('%s --version asks: files of the folder may choose what runs', async program => {
    const { decide, bin } = await workspace()
    expect(await decide(`${program} --version`, bin)).toMatchObject({ decision: 'ask', onlyLooks: false })
  })
})
