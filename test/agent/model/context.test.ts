import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from 'cordis'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { modelContext } from '../../../src/agent/model/index.js'
import { launcherPlugin } from '../../../src/workspace/index.js'
import { putTree } from '../../support/tree.js'
import { finish, openModelBench, says, sketch, startModelRegistry } from './support.js'

let root: string
let configDir: string

beforeEach(() => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-context-')))
  root = join(base, 'project')
  configDir = join(base, 'config')
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
})

async function startContext(): Promise<Context> {
  const ctx = await startModelRegistry()
  await ctx.plugin(launcherPlugin)
  await ctx.plugin(modelContext({ configDir }))
  onTestFinished(async () => {
    await ctx.launcher.release('s')
  })
  return ctx
}

async function systemPrompt(roots = [root]): Promise<string> {
  const ctx = await startContext()
  return (await ctx.systemPrompt.assemble({ sessionId: 's', cwd: roots[0] ?? root, roots })).system
}

const skill = (name: string, description: string, body = 'Do it.') =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`

describe('the system prompt', () => {
  it('says where the session runs', async () => {
    await putTree(root, { 'a.txt': 'x', 'other/b.txt': 'x' })
    const system = await systemPrompt([root, join(root, 'other')])
    expect(system).toContain(`Working directory: ${root}\n`)
    expect(system).toContain(`Further directories of the workspace: ${join(root, 'other')}`)
    expect(system).toMatch(/System: \w+ /)
    expect(system).toMatch(/Date: \d{4}-\d\d-\d\d\n/)
    expect(system).toContain('Git: no repository')
  })

  it('starts git in a repository alone, also below its top and behind a link', async () => {
    await putTree(root, { 'deep/a.txt': 'x' })
    const ctx = await startModelRegistry()
    const launched: string[] = []
    const launch = async (_owner: string, [program]: readonly string[]) => {
      launched.push(String(program))
      throw new Error('not here')
    }
    ctx.provide('launcher', { launch, release: async () => {} } as unknown as Context['launcher'])
    await ctx.plugin(modelContext({ configDir }))
    const startedIn = async (cwd: string) => {
      await ctx.systemPrompt.assemble({ sessionId: 's', cwd, roots: [cwd] })
      return launched.splice(0)
    }
    expect(await startedIn(join(root, 'deep'))).toEqual([])
    mkdirSync(join(root, '.git'))
    expect(await startedIn(join(root, 'deep'))).toEqual(['git'])
    const link = join(root, '..', 'link')
    symlinkSync(join(root, 'deep'), link)
    expect(await startedIn(link)).toEqual(['git'])
  })

  it('says the state of a repository, and runs nothing that the repository names', async () => {
    await putTree(root, { 'a.txt': 'x', 'b.txt': 'x', 'hook.sh': '#!/bin/sh\ntouch ran\n' })
    const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' })
    git('init', '-q', '-b', 'topic')
    git('config', 'core.fsmonitor', 'sh hook.sh')
    expect(await systemPrompt()).toContain('branch topic, 3 files with uncommitted changes')
    git('-c', 'core.fsmonitor=false', 'add', '.')
    git('-c', 'core.fsmonitor=false', '-c', 'user.name=n', '-c', 'user.email=e@x', 'commit', '-qm', 'all')
    expect(await systemPrompt()).toContain('branch topic, nothing uncommitted')
    git('config', 'filter.odd.clean', 'sh hook.sh')
    await putTree(root, { '.gitattributes': '* filter=odd\n', 'a.txt': 'changed' })
    expect(await systemPrompt()).toMatch(/branch topic$/)
    git('config', '--unset', 'filter.odd.clean')
    await putTree(root, { more: '[filter "odd"]\n\tclean = sh hook.sh\n' })
    git('config', 'include.path', '../more')
    expect(await systemPrompt()).toMatch(/branch topic$/)
    expect(existsSync(join(root, 'ran'))).toBe(false)
  })

  it('says nothing of the repository around a folder whose own is none', async () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' })
    await putTree(root, { 'inner/a.txt': 'changed', 'inner/.git/config': '', 'hook.sh': '#!/bin/sh\ntouch ran\n' })
    git('init', '-q', '-b', 'topic')
    await putTree(root, { '.gitattributes': '* filter=odd\n' })
    git('config', 'filter.odd.clean', 'sh hook.sh')
    expect(await systemPrompt([join(root, 'inner')])).toContain('Git: no repository')
    expect(existsSync(join(root, 'ran')) || existsSync(join(root, 'inner/ran'))).toBe(false)
  })

  it('starts git once in a repository with plain settings, else first to ask for filters', async () => {
    const ctx = await startModelRegistry()
    const launched: string[] = []
    const launch = async (_owner: string, command: readonly string[]) => {
      launched.push(command.includes('status') ? 'status' : command.includes('config') ? 'filters' : 'branch')
      return { exited: Promise.resolve({ exitCode: 1 }), kill: async () => {} }
    }
    ctx.provide('launcher', { launch, release: async () => {} } as unknown as Context['launcher'])
    await ctx.plugin(modelContext({ configDir }))
    const startedFor = async (config: string) => {
      await putTree(root, { '.git/config': config })
      await ctx.systemPrompt.assemble({ sessionId: 's', cwd: root, roots: [root] })
      return launched.splice(0)
    }
    expect(await startedFor('[core]\n\tbare = false\n[remote "origin"]\n\turl = x\n')).toEqual(['status'])
    for (const config of ['[Filter "a"]\n\tclean = x\n', '[include]\n\tpath = x\n', '#'.repeat(100_000)]) {
      expect(await startedFor(config)).toEqual(['filters', 'status'])
    }
    await putTree(root, { '.git/commondir': 'x' })
    expect(await startedFor('')).toEqual(['filters', 'status'])
  })

  it("holds the user's instructions, then each root's AGENTS.md, or CLAUDE.md where there is none", async () => {
    await putTree(configDir, { 'AGENTS.md': 'mine' })
    await putTree(root, { 'AGENTS.md': 'project', 'CLAUDE.md': 'not this', 'second/CLAUDE.md': 'fallback' })
    const system = await systemPrompt([root, join(root, 'second')])
    expect(system).toMatch(
      /mine\n\n# From [^\n]*AGENTS\.md\n\nproject\n\n# From [^\n]*second[^\n]*CLAUDE\.md\n\nfallback/,
    )
    expect(system).not.toContain('not this')
  })

  it('cuts instructions that are long, and says so', async () => {
    await putTree(root, { 'AGENTS.md': 'a'.repeat(100_000) })
    const system = await systemPrompt()
    expect(system.length).toBeLessThan(45_000)
    expect(system).toMatch(/KiB more stand in the file/)
  })

  it('never holds what a link in the project leads to elsewhere (B63)', async () => {
    await putTree(configDir, { 'key.txt': 'the secret' })
    await putTree(root, { '.env': 'TOKEN=the secret', 'skills/x': '' })
    symlinkSync(join(configDir, 'key.txt'), join(root, 'AGENTS.md'))
    symlinkSync(join(root, '.env'), join(root, 'CLAUDE.md'))
    expect(await systemPrompt()).not.toContain('the secret')
  })

  it('is not held up by a FIFO of that name', async () => {
    await putTree(root, { 'a.txt': '' })
    execFileSync('mkfifo', [join(root, 'AGENTS.md')])
    expect(await systemPrompt()).toContain('Working directory')
  })

  it('names the skills with their files; of two with one name the first counts', async () => {
    await putTree(configDir, { 'skills/release/SKILL.md': skill('release', 'How I release.') })
    await putTree(root, {
      '.agents/skills/release/SKILL.md': skill('release', 'Not this.'),
      '.claude/skills/odd/SKILL.md': '---\n: [broken\n---\nbody',
      '.claude/skills/no-file/readme.txt': '',
      '.agents/skills/review/SKILL.md': skill('review', '"Careful: reviews"'),
    })
    const system = await systemPrompt()
    expect(system).toContain(`- release (${join(configDir, 'skills/release/SKILL.md')}): How I release.`)
    expect(system).toContain('review/SKILL.md): Careful: reviews')
    expect(system).toContain('- odd (')
    expect(system).not.toContain('Not this.')
    expect(system).not.toContain('Do it.')
  })
})

describe('the system prompt of a session', () => {
  it('stays the same until the cache is lost anyway', async () => {
    await putTree(root, { 'AGENTS.md': 'one' })
    const ctx = await startContext()
    const answers = Array.from({ length: 4 }, () => [says('ok'), finish()])
    const bench = await openModelBench([...answers, [says('summary'), finish()], [says('ok'), finish()]], {
      ctx,
      configDir,
    })
    const agent = { sessionId: 's', cwd: root, roots: [root] }
    await bench.prompt('a', { agent })
    await putTree(root, { 'AGENTS.md': 'two' })
    await bench.prompt('b', { agent })
    expect(bench.requests[1]?.system).toBe(bench.requests[0]?.system)
    await bench.prompt('/compact', { agent })
    await bench.prompt('c', { agent })
    expect(bench.requests[3]?.system).toContain('two')
  })
})

describe('a skill', () => {
  it('is a command that puts its text into the conversation', async () => {
    await putTree(root, { '.agents/skills/review/SKILL.md': skill('review', 'Reviews.', 'Read the diff first.') })
    const ctx = await startContext()
    const bench = await openModelBench([[says('ok'), finish()]], { ctx, configDir })
    await bench.prompt('/review the last commit', { agent: { sessionId: 's', cwd: root, roots: [root] } })
    expect(sketch(bench.requests[0]!)[0]).toMatch(
      /^user: \/review the last commit \n\nThe skill review, from .*SKILL\.md:\n\nRead the diff first\.$/,
    )
    expect(bench.events.filter(event => event.type === 'context')).toHaveLength(1)
  })

  it('does not hide what is no skill', async () => {
    const ctx = await startContext()
    const bench = await openModelBench([[says('ok'), finish()]], { ctx, configDir })
    await bench.prompt('/etc/hosts is odd', { agent: { sessionId: 's', cwd: tmpdir(), roots: [] } })
    expect(sketch(bench.requests[0]!)).toEqual(['user: /etc/hosts is odd'])
  })
})
