import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { putTree } from '../../support/tree.js'
import { elsewhere, hasBubblewrap, openCell, openFolder } from './support.js'

describe.runIf(hasBubblewrap)('a workspace in the sandbox', () => {
  test.each([
    ['in a place for temporary files', tmpdir()],
    ['elsewhere', elsewhere],
  ])('may be spelled through a link %s', async (_where, parent) => {
    const real = openFolder(elsewhere)
    const link = join(openFolder(parent), 'link')
    symlinkSync(real, link)
    const cell = await openCell()
    const agent = { ...cell.agent, cwd: link, roots: [link] }
    const run = await cell.run(`pwd; touch a; touch ${link}/b ${real}/c; ls`, { agent })
    expect(run).toMatchObject({ isError: false, text: `${link}\na\nb\nc\n` })
    expect(readdirSync(real)).toEqual(['a', 'b', 'c'])
  })

  test('may have several roots, one within another, and one that is gone', async () => {
    const cell = await openCell()
    const inner = join(cell.dir, 'inner')
    mkdirSync(inner)
    const other = openFolder(elsewhere)
    const agent = { ...cell.agent, roots: [cell.dir, inner, other, join(other, 'gone')] }
    const run = await cell.run(`touch ${inner}/a ${other}/b c`, { agent })
    expect(run.isError).toBe(false)
    expect([join(inner, 'a'), join(other, 'b'), join(cell.dir, 'c')].map(existsSync)).toEqual([true, true, true])
  })

  test('may be the home directory, of which what starts with a dot stays as it is', async () => {
    const home = openFolder(elsewhere)
    await putTree(home, { '.bashrc': 'mine', '.ssh/key': 'SECRET', '.config/app': 'mine', 'work/a': 'a' })
    const cell = await openCell({ home }, home)
    expect((await cell.run('echo new > work/a; cat work/a')).text).toBe('new\n')
    for (const command of ['echo evil >> .bashrc', 'echo evil > .config/app', 'cat .ssh/key', 'mv .config x']) {
      expect([command, (await cell.run(command)).isError]).toEqual([command, true])
    }
    expect(readFileSync(join(home, '.bashrc'), 'utf8')).toBe('mine')
  })

  test('that is the top of the file system, or holds the home directory, makes nothing writable', async () => {
    const parent = openFolder(elsewhere)
    const home = join(parent, 'me')
    mkdirSync(home)
    const cell = await openCell({ home })
    for (const root of ['/', parent]) {
      const agent = { ...cell.agent, cwd: parent, roots: [root] }
      const run = await cell.run(`touch ${home}/a || touch /usr/deckhand-test || touch b`, { agent })
      expect([root, run.isError]).toEqual([root, true])
    }
    expect(readdirSync(parent)).toEqual(['me'])
  })

  test('keeps temporary files from one command of a session to the next, apart from those of the machine', async () => {
    const outside = openFolder()
    const cell = await openCell({}, openFolder(elsewhere))
    const name = `deckhand-test-${process.pid}`
    expect((await cell.run(`echo kept > /tmp/${name}; ls ${outside}`)).isError).toBe(true)
    expect((await cell.run(`cat "$TMPDIR/${name}"`)).text).toBe('kept\n')
    expect(existsSync(join('/tmp', name))).toBe(false)
    const other = await cell.run(`cat /tmp/${name}`, { agent: { ...cell.agent, sessionId: 's2' } })
    expect(other.isError).toBe(true)
  })

  test('removes its temporary folders in the end', async () => {
    const own = openFolder(elsewhere)
    const before = process.env.TMPDIR
    process.env.TMPDIR = own
    onTestFinished(() => {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
    })
    const cell = await openCell({}, openFolder(elsewhere))
    await cell.run('echo x > /tmp/a')
    expect(readdirSync(own)).toContainEqual(expect.stringMatching(/^deckhand-sandbox-/))
    await cell.ctx.fiber.dispose()
    expect(readdirSync(own).filter(name => name.startsWith('deckhand-sandbox-'))).toEqual([])
  })

  test('lets a command run in a folder outside of it, and read that', async () => {
    const outside = openFolder()
    writeFileSync(join(outside, 'a'), 'here')
    const cell = await openCell()
    expect(await cell.run('cat a', { cwd: outside })).toMatchObject({ isError: false, text: 'here' })
    expect((await cell.run('touch b', { cwd: outside })).isError).toBe(true)
  })

  test('refuses to run in a folder that is hidden', async () => {
    const hidden = openFolder(elsewhere)
    const cell = await openCell({ hidden: [hidden] })
    const run = await cell.run('ls', { cwd: hidden })
    expect(run.error?.code).toBe('REFUSED')
    expect(run.text).toContain(hidden)
  })

  test('is joined by the folders that the config lets commands write, `~` being the home directory', async () => {
    const home = openFolder(elsewhere)
    mkdirSync(join(home, 'cache'))
    const cell = await openCell({ home, write: ['~/cache', '~/missing', '/'] })
    expect((await cell.run(`touch ${home}/cache/a`)).isError).toBe(false)
    expect((await cell.run(`touch ${home}/b`)).isError).toBe(true)
  })

  test('finds its programs where PATH names a place for temporary files', async () => {
    const folder = openFolder()
    writeFileSync(join(folder, 'tool'), '#!/bin/sh\necho tool runs\n', { mode: 0o755 })
    const before = process.env.PATH
    process.env.PATH = `${folder}:${before}`
    onTestFinished(() => {
      process.env.PATH = before
    })
    const cell = await openCell()
    expect((await cell.run('tool')).text).toBe('tool runs\n')
    expect((await cell.run(`ls /tmp; touch ${folder}/x`)).text).toContain(basename(folder))
    expect(existsSync(join(folder, 'x'))).toBe(false)
  })
})
