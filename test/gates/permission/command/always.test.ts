import { describe, expect, it } from 'vitest'
import { useCommandBench } from './command-support.js'

const bench = useCommandBench()

describe('what an always-answer would remember', () => {
  it.each([
    ['npm test', ['npm', 'test', '*']],
    ['npm test -- --watch', ['npm', 'test', '*']],
    ['npm run build', ['npm', 'run', 'build', '*']],
    ['npm run lint -- --fix', ['npm', 'run', 'lint', '*']],
    ['npm run -w a build', ['npm', 'run', '-w', 'a', 'build']],
    ['npm install left-pad', ['npm', 'install', 'left-pad']],
    ['cargo test --all', ['cargo', 'test', '*']],
    ['cargo build', ['cargo', 'build', '*']],
    ['cargo check', ['cargo', 'check', '*']],
    ['cargo clippy -- -D warnings', ['cargo', 'clippy', '*']],
    ['cargo publish', ['cargo', 'publish']],
    ['go test ./...', ['go', 'test', '*']],
    ['go build ./cmd/x', ['go', 'build', '*']],
    ['go vet', ['go', 'vet', '*']],
    ['go run .', ['go', 'run', '.']],
    ['pytest -k name', ['pytest', '*']],
    ['tsc --noEmit', ['tsc', '*']],
    ['make', ['make']],
    ['make test', ['make', 'test']],
    ['make test all', ['make', 'test', 'all']],
    ['git add src/a.ts', ['git', 'add', 'src/a.ts']],
    ['git commit -m "a message"', ['git', 'commit', '-m', 'a message']],
    ['git checkout main', ['git', 'checkout', 'main']],
    ['timeout 60 npm test', ['timeout', '60', 'npm', 'test']],
    ['bash build.sh', ['bash', 'build.sh']],
    ['mkdir -p a/b', ['mkdir', '-p', 'a/b']],
    ['cat ../x', ['cat', '../x']],
    ['cd src && npm test', ['npm', 'test', '*']],
    ['npm test 2>&1 | tail -20', ['npm', 'test', '*']],
  ])('of %j: %j', async (command, words) => {
    expect(await bench.decide(command)).toMatchObject({ decision: 'ask', always: [words] })
  })

  it('is one pattern for each part that is not allowed yet, each once', async () => {
    const found = await bench.decide('npm run build && npm test && npm test -- x && ls && git add .', {
      allow: ['git *'],
    })
    expect(found.always).toEqual([
      ['npm', 'run', 'build', '*'],
      ['npm', 'test', '*'],
    ])
  })

  it.each([
    'sudo ls',
    'doas ls',
    'rm x',
    '/bin/rm x',
    'rmdir x',
    'unlink x',
    'npx vitest',
    'uvx ruff',
    'bunx x',
    'npm exec x',
    'pnpm dlx x',
    'curl https://example.com',
    'wget x',
    'ssh host',
    'scp a b:c',
    'rsync -a a b',
    'nc host 1',
    'git push',
    'git --no-pager push',
    'git reset --hard',
    'git clean -fd',
    'git checkout -- a.txt',
    'git checkout .',
    'git restore a.txt',
    'git config user.name x',
    'docker ps',
    'podman run x',
    'chmod +x a',
    'chown x a',
    'sh -c ls',
    'python -c x',
    'timeout 60 rm x',
    'nohup docker ps',
    'npm test; git push',
  ])('is nothing for %j', async command => {
    const found = await bench.decide(command)
    expect(found).toMatchObject({ decision: 'ask', row: 'never-always' })
    expect(found.always).toBeUndefined()
  })

  it.each(['prettier --write src/*.ts', 'tool $X', "tool '*'", 'tool *', `tool ${'x'.repeat(400)}`])(
    'is nothing for %j, whose exact words are not known, or not to be told from a wider rule',
    async command => {
      const found = await bench.decide(command)
      expect(found).toMatchObject({ decision: 'ask', row: 'other-command' })
      expect(found.always).toBeUndefined()
    },
  )

  it('once remembered, allows the same command and no other', async () => {
    const asked = await bench.decide("git commit -m 'a * b'")
    expect(asked.always).toEqual([['git', 'commit', '-m', 'a * b']])
    const allow = ["git commit -m 'a b'", 'npm test *', 'make test']
    expect(await bench.decide('git commit -m "a b"', { allow })).toMatchObject({ decision: 'allow' })
    expect(await bench.decide('npm test', { allow })).toMatchObject({ decision: 'allow', row: 'rule-allow' })
    expect(await bench.decide('npm test -- -u', { allow })).toMatchObject({ decision: 'allow' })
    for (const command of ['git commit -m a b', 'git commit', 'npm testing', 'npm run test', 'make test all', 'make']) {
      expect(await bench.decide(command, { allow })).toMatchObject({ decision: 'ask' })
    }
  })
})
