import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { decideCommand } from '../../../../src/gates/permission/command/index.js'

async function repository(config: string): Promise<string> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-git-')))
  onTestFinished(() => rm(top, { recursive: true, force: true }))
  await mkdir(join(top, '.git'))
  await writeFile(join(top, '.git', 'config'), config)
  return top
}

function decide(command: string, cwd: string) {
  const resolve = async (path: string) => ({ spoken: path, path, realPath: path, inside: true })
  return decideCommand(command, { cwd, roots: [cwd], rules: { allow: [], ask: [], deny: [] }, resolve, shell: 'sh' })
}

const USUAL =
  '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tfsmonitor = true\n[remote "origin"]\n\turl = https://example.org/x.git\n'

describe('git in a repository with settings of its own', () => {
  it.each(['git status', 'git diff', 'git log -p'])('%s is free where the settings start nothing', async command => {
    expect(await decide(command, await repository(USUAL))).toMatchObject({ decision: 'allow', row: 'looks-only' })
  })

  it.each([
    ['a file system monitor', '[core]\n\tfsmonitor = ./run-me\n'],
    ['an external diff', '[diff]\n\texternal = ./run-me\n'],
    ['a diff driver', '[diff "x"] command = ./run-me\n'],
    ['a text conversion', '[diff "x"]\n\ttextconv = ./run-me\n'],
    ['a filter', '[filter "x"]\n\tclean = ./run-me\n'],
    ['a signature program', '[gpg]\n\tprogram = ./run-me\n'],
    ['further settings', '[include]\n\tpath = ../evil\n'],
  ])('git status asks where they name %s', async (_what, config) => {
    const decision = await decide('git status', await repository(USUAL + config))
    expect(decision).toMatchObject({ decision: 'ask', because: expect.stringContaining('git settings') })
  })

  it('asks in a linked work tree whose shared settings start a program, and is free in one whose do not', async () => {
    const evil = await repository('[core]\n\tfsmonitor = ./run-me\n')
    const fine = await repository(USUAL)
    for (const [main, decision] of [
      [evil, 'ask'],
      [fine, 'allow'],
    ] as const) {
      const own = join(main, '.git', 'worktrees', 'w')
      await mkdir(own, { recursive: true })
      await writeFile(join(own, 'commondir'), '../..\n')
      const tree = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-tree-')))
      onTestFinished(() => rm(tree, { recursive: true, force: true }))
      await writeFile(join(tree, '.git'), `gitdir: ${own}\n`)
      expect(await decide('git status', tree)).toMatchObject({ decision })
    }
  })
})
