import { describe, expect, it } from 'vitest'
import { commandInMode } from '../../../../src/gates/permission/command/index.js'
import { useCommandBench } from './command-support.js'

const bench = useCommandBench()

describe('rules on commands', () => {
  it('let deny beat ask, and ask beat allow', async () => {
    const all = { allow: ['git *'], ask: ['git push *', 'git log *'], deny: ['git push *'] }
    expect(await bench.decide('git push', all)).toMatchObject({ decision: 'deny', row: 'rule-deny' })
    expect(await bench.decide('git log -1', all)).toMatchObject({ decision: 'ask', row: 'rule-ask' })
    expect(await bench.decide('git stash', all)).toMatchObject({ decision: 'allow', row: 'rule-allow' })
    expect(await bench.decide('git stash; git log', all)).toMatchObject({ decision: 'ask', row: 'rule-ask' })
  })

  it('deny and ask also what would only look', async () => {
    expect(await bench.decide('ls', { deny: ['ls *'] })).toMatchObject({ decision: 'deny' })
    expect(await bench.decide('ls -l', { ask: ['ls *'] })).toMatchObject({ decision: 'ask', onlyLooks: true })
  })

  it('take a star for any further words, none included, and exact words without it', async () => {
    const allow = ['git log *', 'git status']
    for (const command of ['git log', 'git log --output=x', 'git status']) {
      expect(await bench.decide(command, { allow })).toMatchObject({ decision: 'allow' })
    }
    expect(await bench.decide('git stash -q', { allow: ['git stash'] })).toMatchObject({ decision: 'ask' })
    expect(await bench.decide('git -q', { deny: ['git'] })).not.toMatchObject({ decision: 'deny' })
  })

  it('may allow what no answer allows for good', async () => {
    const allow = ['npx vitest *', 'sudo ls *', 'docker ps', 'git push origin main']
    for (const command of ['npx vitest run', 'sudo ls -l', 'docker ps', 'git push origin main']) {
      expect(await bench.decide(command, { allow })).toMatchObject({ decision: 'allow', row: 'rule-allow' })
    }
    expect(await bench.decide('git push origin next', { allow })).toMatchObject({ decision: 'ask' })
  })

  it('on a command that starts another speak of it only if they name it', async () => {
    const place = (allow: string[], command: string) => bench.decide(command, { allow })
    expect(await place(['timeout *'], 'timeout 5 npm test')).toMatchObject({ decision: 'ask' })
    expect(await place(['timeout *', 'npm test *'], 'timeout 5 npm test')).toMatchObject({ decision: 'allow' })
    expect(await place(['timeout 5 npm *'], 'timeout 5 npm test')).toMatchObject({ decision: 'allow' })
    expect(await place(['npm test *'], 'timeout 5 npm test')).toMatchObject({ decision: 'ask' })
    expect(await place(['nice *', 'timeout *', 'npm *'], 'nice timeout 5 npm test')).toMatchObject({
      decision: 'allow',
    })
    expect(await place(['nice *', 'npm *'], 'nice timeout 5 npm test')).toMatchObject({ decision: 'ask' })
  })

  it('are named in the reason', async () => {
    expect((await bench.decide('rm -f x', { deny: ['rm *'] })).because).toBe('your config denies rm *')
    expect((await bench.decide('git stash', { allow: ['git *'] })).because).toBe('your config allows git *')
    expect((await bench.decide('git stash', { ask: ["git stash 'a b'", 'git stash *'] })).because).toBe(
      'your config asks for git stash *',
    )
  })

  it('do not reach what only shows when it runs: then it asks', async () => {
    const rules = { allow: ['tool *'], deny: ['tool drop *'] }
    for (const command of ['tool $X', 'tool d*', 'tool "$X"', 'tool --quiet drop', 'tool -c x drop y']) {
      expect(await bench.decide(command, rules)).toMatchObject({ decision: 'ask' })
    }
    for (const command of ['tool keep $X', 'tool k*', 'tool keep drop']) {
      expect(await bench.decide(command, rules)).toMatchObject({ decision: 'allow' })
    }
  })
})

describe('a line that cannot be read', () => {
  it.each([
    "git log '",
    'git log "',
    'git log $(',
    'git log )',
    'git log (',
    'if git log',
    'git log; fi',
    'git log &&',
    'git log | | git log',
    'cat <<E\nno end',
    'git log `',
    `git log \${`,
    'for do done',
    'case x in',
    'dir /s & del x)',
    'Get-ChildItem | ForEach-Object { Write-Host ($_) }',
  ])('asks and is never allowed for good: %j', async command => {
    const found = await bench.decide(command, { allow: ['git *', 'cat *', 'dir *', 'Get-ChildItem *'] })
    expect(found).toMatchObject({ decision: 'ask', row: 'cannot-parse' })
    expect(found.always).toBeUndefined()
  })

  it('is denied if all words of a deny rule stand in it', async () => {
    for (const command of ["rm x '", "git log; 'rm' x (", 'echo $( rm']) {
      expect(await bench.decide(command, { deny: ['rm *'] })).toMatchObject({ decision: 'deny' })
    }
    expect(await bench.decide("git log '", { deny: ['git push *'] })).toMatchObject({ decision: 'ask' })
  })

  it.each(['powershell.exe', 'C:\\Program Files\\PowerShell\\7\\pwsh.exe', '/usr/bin/fish', 'cmd.exe', 'nu'])(
    'is any line for %s, whose language is not read',
    async shell => {
      const found = await bench.decide('git status', { allow: ['git *'] }, { shell })
      expect(found).toMatchObject({ decision: 'ask', row: 'cannot-parse' })
      expect(await bench.decide('ls; rm x', { deny: ['rm *'] }, { shell })).toMatchObject({ decision: 'deny' })
    },
  )

  it.each(['/bin/bash', 'C:\\Program Files\\Git\\bin\\bash.exe', '/usr/bin/zsh', 'sh', '/opt/dash'])(
    'is none for %s',
    async shell => {
      expect(await bench.decide('git stash', { allow: ['git *'] }, { shell })).toMatchObject({ decision: 'allow' })
    },
  )
})

describe('a decision in a mode', () => {
  const lists = { allow: ['npm test *'], deny: ['rm *'] }
  it.each([
    ['ls', ['allow', 'allow', 'allow', 'allow']],
    ['cat .env', ['ask', 'ask', 'ask', 'allow']],
    ['npm test', ['allow', 'allow', 'deny', 'allow']],
    ['npm run build', ['ask', 'ask', 'deny', 'allow']],
    ['sudo ls', ['ask', 'ask', 'deny', 'allow']],
    ['ls > x', ['ask', 'ask', 'deny', 'allow']],
    ["ls '", ['ask', 'ask', 'deny', 'allow']],
    ['rm x', ['deny', 'deny', 'deny', 'deny']],
  ])('of %j is, in ask, accept edits, plan, full access: %j', async (command, decisions) => {
    const found = await bench.decide(command, lists)
    const modes = ['ask', 'accept-edits', 'plan', 'full-access'] as const
    expect(modes.map(mode => commandInMode(found, mode).decision)).toEqual(decisions)
  })
})
