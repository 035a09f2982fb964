import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useCommandBench } from './command-support.js'

const bench = useCommandBench()

describe('what a command that only looks would look at', () => {
  it.each([
    ['cat .env', 'holds secrets'],
    ['cat ./.env', 'holds secrets'],
    ['cat "$(echo x)" .env', undefined],
    ["cat '.e''nv'", 'holds secrets'],
    ['cat .ENV', 'holds secrets'],
    ['head -5 keys/server.pem', 'holds secrets'],
    ['grep -f .env text a.txt', 'holds secrets'],
    ['grep --file=.env a.txt', 'holds secrets'],
    ['ls notes/.npmrc', 'holds secrets'],
    ['cat < .env', 'holds secrets'],
    ['git show HEAD:.env', 'holds secrets'],
    ['git diff -- .env', 'holds secrets'],
    ['git log -p -- config/credentials.json', 'holds secrets'],
    ['cat plain', 'leads to .env'],
    ['cat .e*', 'fits names'],
    ['cat .*', 'fits names'],
    ['cat *.pem', 'fits names'],
    ['cat keys/*', 'holds secrets'],
    ['cat k*/s*', 'holds secrets'],
    ['cat keys/server.p?m', 'holds secrets'],
    ['cat keys/server.[p]em', 'holds secrets'],
    ['echo keys/*', 'holds secrets'],
    ['cat ../outside/x.txt', 'outside'],
    ['cat /etc/passwd', 'outside'],
    ['ls ..', 'outside'],
    ['ls /', 'outside'],
    ['ls ../*', 'outside'],
    ['echo ../*', 'outside'],
    ['cat out/x.txt', 'outside'],
    ['cat out/*', 'outside'],
    ['cat src/../a.txt', 'not plain'],
    ['cat source/../../outside/x.txt', 'not plain'],
    ['cat < /etc/passwd', 'outside'],
    ['find / -name x', 'outside'],
    ['du -sh ..', 'outside'],
    ['rg text ..', 'outside'],
    ['diff a.txt ../outside/x.txt', 'outside'],
    ['realpath --relative-to=/etc a.txt', 'outside'],
    ['cd src && cat ../../outside/x.txt', 'outside'],
    ['grep -rn text .', '.env'],
    ['grep -r text', '.env'],
    ['grep --recursive text keys', 'server.pem'],
    ['rg text', 'server.pem'],
    ["rg -g '.env*' text notes", '.npmrc'],
    ['diff -r notes keys', '.npmrc'],
    ['cd src && git status', 'no root of the workspace'],
  ])('asks about %j', async (command, because) => {
    const found = await bench.decide(command)
    expect(found.decision).toBe('ask')
    if (because) expect(found).toMatchObject({ because: expect.stringContaining(because) })
  })

  it('still says that it only looks, so that plan mode need not deny it', async () => {
    expect(await bench.decide('cat .env')).toMatchObject({
      row: 'looks-only',
      onlyLooks: true,
      always: [['cat', '.env']],
    })
  })

  it('asks about git in a folder below a root, whose settings may run programs', async () => {
    expect(await bench.decide('git status', {}, { cwd: join(bench.root, 'src') })).toMatchObject({ decision: 'ask' })
    expect(await bench.decide('ls', {}, { cwd: join(bench.root, 'src') })).toMatchObject({ decision: 'allow' })
  })

  it('searches sources about credentials freely, but not the files themselves', async () => {
    const folder = join(bench.root, 'sources')
    await mkdir(folder)
    onTestFinished(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'credentials.ts'), '')
    expect(await bench.decide('grep -rn text sources')).toMatchObject({ decision: 'allow' })
    expect(await bench.decide('cat sources/credentials.ts')).toMatchObject({ decision: 'ask' })
    await writeFile(join(folder, 'credentials'), '')
    expect(await bench.decide('grep -rn text sources')).toMatchObject({ decision: 'ask' })
  })

  it('asks about a pattern that fits a name which would be taken for an option', async () => {
    const folder = join(bench.root, 'odd')
    await mkdir(folder)
    onTestFinished(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, '--pre=x'), '')
    const found = await bench.decide('cd odd && cat *')
    expect(found).toMatchObject({ decision: 'ask', because: expect.stringContaining('taken for an option') })
  })
})
