import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { decideCommand } from '../../../../src/gates/permission/command/index.js'

/** The mode of a repository within, in an index. */
const GITLINK = 0o160000

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
    ['a program behind the word true', '[core]\n\tfsmonitor = true && ./run-me\n'],
    ['a program behind several headings', '[user "a]b"][core] fsmonitor = ./run-me\n'],
    ['a remote to fetch what is missing from', '[remote "o"]\n\tpromisor = true\n\tuploadpack = ./run-me\n'],
    ['the same without a value', '[remote "o"]\n\tpromisor\n'],
    ['differences of repositories within', '[diff]\n\tsubmodule = diff\n'],
    ['a summary of repositories within', '[status]\n\tsubmoduleSummary = true\n'],
    ['a folder of hooks that is not plain', '[core]\n\thooksPath = ~/hooks\n'],
  ])('git status asks where they name %s', async (_what, config) => {
    const decision = await decide('git status', await repository(USUAL + config))
    expect(decision).toMatchObject({ decision: 'ask', because: expect.stringContaining('git settings') })
  })

  it('asks where a hook would run that comes with looking, in the usual folder and in a named one', async () => {
    const own = await repository(USUAL)
    await mkdir(join(own, '.git', 'hooks'))
    await writeFile(join(own, '.git', 'hooks', 'pre-commit'), '')
    expect(await decide('git status', own)).toMatchObject({ decision: 'allow' })
    await writeFile(join(own, '.git', 'hooks', 'post-index-change'), '')
    expect(await decide('git status', own)).toMatchObject({ decision: 'ask' })

    const named = await repository(`${USUAL}[core]\n\thooksPath = other\n\thooksPath = tools\n`)
    expect(await decide('git status', named)).toMatchObject({ decision: 'allow' })
    await mkdir(join(named, 'tools'))
    await writeFile(join(named, 'tools', 'post-index-change'), '')
    expect(await decide('git status', named)).toMatchObject({ decision: 'ask' })
  })

  it('asks where the settings of a submodule start a program, however deep it lies', async () => {
    const top = await repository(USUAL)
    const module = join(top, '.git', 'modules', 'libs', 'a', 'modules', 'b')
    await mkdir(module, { recursive: true })
    for (const folder of [module, join(module, '..', '..')]) {
      await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/main\n')
      await writeFile(join(folder, 'config'), USUAL)
    }
    expect(await decide('git status', top)).toMatchObject({ decision: 'allow' })
    await writeFile(join(module, 'config'), '[core]\n\tfsmonitor = ./run-me\n')
    expect(await decide('git status', top)).toMatchObject({ decision: 'ask' })
  })

  it.each([
    ['of the usual form', ['index.version=2'], []],
    ['of the short form', ['index.version=4'], []],
    ['of two parts', ['index.version=2', 'splitIndex.maxPercentChange=100'], ['--split-index']],
  ])(
    'asks where a repository within has settings that start a program, in an index %s',
    async (_what, settings, more) => {
      const top = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-git-')))
      onTestFinished(() => rm(top, { recursive: true, force: true }))
      const git = (...args: string[]) =>
        execFileSync('git', ['-C', top, ...settings.flatMap(setting => ['-c', setting]), ...args])
      git('init', '-q')
      await writeFile(join(top, 'a file whose size has the bytes of a mode'), Buffer.alloc(GITLINK))
      await mkdir(join(top, 'libs'))
      await writeFile(join(top, 'libs', 'a'), '')
      git('add', '.')
      git('update-index', ...more)
      expect(await decide('git status', top)).toMatchObject({ decision: 'allow' })
      git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},libs/sub`)
      expect(await decide('git status', top)).toMatchObject({ decision: 'allow' })

      const own = join(top, 'libs', 'sub')
      execFileSync('git', ['init', '-q', own])
      expect(await decide('git status', top)).toMatchObject({ decision: 'allow' })
      await appendFile(join(own, '.git', 'config'), '[core]\n\tfsmonitor = ./run-me\n')
      expect(await decide('git status', top)).toMatchObject({
        decision: 'ask',
        because: expect.stringContaining('fsmonitor'),
      })
    },
  )

  it.each([
    ['is no index', Buffer.from('no index')],
    ['ends in the middle', Buffer.concat([Buffer.from('DIRC\0\0\0\x02\0\0\0\x02'), Buffer.from('0000e000', 'hex')])],
  ])('asks where the index %s', async (_what, index) => {
    const top = await repository(USUAL)
    await writeFile(join(top, '.git', 'index'), index)
    expect(await decide('git status', top)).toMatchObject({ decision: 'ask' })
  })

  it('asks where the work tree is said to lie elsewhere, and is free where it is said to lie here', async () => {
    expect(await decide('git status', await repository(`${USUAL}[core]\n\tworktree = ../other\n`))).toMatchObject({
      decision: 'ask',
    })
    expect(await decide('git status', await repository(`${USUAL}[core]\n\tworktree = ..\n`))).toMatchObject({
      decision: 'allow',
    })
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
