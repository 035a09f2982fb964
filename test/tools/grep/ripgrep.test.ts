import { execFileSync } from 'node:child_process'
import { chmod, link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { findRipgrep } from '../../../src/tools/grep/find-ripgrep.js'
import { FILE_MARKS } from '../../../src/workspace/file-type.js'
import { isPosix, isRoot } from '../../support/platform.js'
import { putTree } from '../../support/tree.js'
import { hasRipgrep, openSearch } from './search-support.js'

type Search = Awaited<ReturnType<typeof openSearch>>

async function openBoth(config = {}): Promise<{ without: Search; narrowed: Search }> {
  const without = await openSearch({ ripgrep: null })
  const narrowed = await openSearch(config)
  return { without, narrowed: { ...narrowed, agent: without.agent, dir: without.dir } }
}

/** The same call with and without ripgrep, which must give the same; answers it. */
async function callBoth({ without, narrowed }: { without: Search; narrowed: Search }, args: object) {
  const [plain, quick] = [await without.call('grep', args), await narrowed.call('grep', args, { agent: without.agent })]
  expect({ text: quick.text, meta: quick.meta }).toEqual({ text: plain.text, meta: plain.meta })
  expect(quick.isError).toBe(false)
  return quick
}

const anyBytes = fc
  .tuple(
    fc.constantFrom('', '', '', ...FILE_MARKS, '\xef\xbb\xbf'),
    fc.array(
      fc.constantFrom(
        ...['foo', 'Foo', 'FOO', 'bar', 'k', 'sea', ' ', '\n', '\r\n', '\r', '\n', '\t', 'x'.repeat(300), '.', '-'],
        ...['\x00', '\x01', '\x0b', '\x7f', '\x1b', '\xe9', '\xc3\xa9', '\xe2\x84\xaa', '\xc5\xbf', '\xff', '\xc3'],
        '\xf0\x9f\x98\x80',
      ),
      { maxLength: 12 },
    ),
    fc.constantFrom<(bytes: Buffer) => Buffer>(
      bytes => bytes,
      bytes => bytes,
      bytes => Buffer.from(`\ufeff${bytes.toString()}`, 'utf16le'),
      bytes => Buffer.from(`\ufeff${bytes.toString()}`, 'utf16le').swap16(),
      bytes => gzipSync(bytes),
      bytes => Buffer.concat([Buffer.alloc(70_000, 'line\n'), bytes]),
    ),
  )
  .map(([mark, parts, encode]) => encode(Buffer.from(mark + parts.join(''), 'latin1')))

const ODD_NAMES = ['-rf', '-', 'a b', 'ü.txt', '😀', '.hidden', 'x.log', '.env', '--pre=cat', '$(x)', 'd/-e', '{a}']
const CALLS: object[] = [
  { pattern: 'foo' },
  { pattern: 'FOO|sea', ignore_case: true },
  { pattern: 'k[^]*oo', ignore_case: true },
  { pattern: '^foo$' },
  { pattern: '(foo|bar)\\b.+x{3}', context: 1 },
  { pattern: 'é' },
  { pattern: '😀' },
  { pattern: 'foo', max_results: 2 },
  { pattern: 'bar', glob: '*.{log,txt}' },
]

test.runIf(hasRipgrep)('results are the same with and without ripgrep, whatever files hold (B05)', async () => {
  const both = await openBoth()
  const tree = fc.array(fc.tuple(fc.constantFrom('', 'd/', 'd/e/', 'node_modules/'), anyBytes), {
    minLength: 30,
    maxLength: 90,
  })
  const names = fc.shuffledSubarray(ODD_NAMES)
  await fc.assert(
    fc.asyncProperty(tree, names, fc.shuffledSubarray(CALLS, { minLength: 3 }), async (files, odd, calls) => {
      await rm(both.without.dir, { recursive: true, force: true })
      await mkdir(both.without.dir)
      await putTree(both.without.dir, {
        '.gitignore': '*.log\nnode_modules/\n',
        'd/.gitignore': '!x.log\n/f1*\n',
        ...Object.fromEntries(files.map(([folder, bytes], index) => [`${folder}${odd[index] ?? `f${index}`}`, bytes])),
      })
      for (const args of calls) await callBoth(both, args)
    }),
    { numRuns: 8 },
  )
  expect(both.narrowed.commands.length).toBeGreaterThan(20)
  expect(new Set((await both.narrowed.ends()).map(end => JSON.stringify(end)))).toContain('{"exitCode":0}')
})

test.runIf(hasRipgrep)('ripgrep gets only files that the walk accepts, and no configuration of anybody', async () => {
  const both = await openBoth()
  await putTree(both.without.dir, {
    '.env': 'foo',
    '.gitignore': 'ignored\n',
    '.ignore': 'a.txt\n',
    '.rgignore': 'b.txt\n',
    '.ripgreprc': '--invert-match\n',
    ignored: 'foo',
    'a.txt': 'foo',
    'b.txt': 'bar',
  })
  const config = process.env.RIPGREP_CONFIG_PATH
  process.env.RIPGREP_CONFIG_PATH = join(both.without.dir, '.ripgreprc')
  onTestFinished(() => {
    if (config === undefined) delete process.env.RIPGREP_CONFIG_PATH
    else process.env.RIPGREP_CONFIG_PATH = config
  })
  await callBoth(both, { pattern: 'foo' })
  const [command = []] = both.narrowed.commands
  expect(command.slice(command.indexOf('--') + 1)).toEqual(['a.txt', 'b.txt'])
  expect(command).toContain('--no-config')
})

test.runIf(hasRipgrep)('a pattern of which too little is known goes to no ripgrep', async () => {
  const both = await openBoth()
  await putTree(both.without.dir, { a: 'foo 1\n', b: 'x\n' })
  for (const pattern of ['\\d', 'o+', '[a-z]+', 'foo|\\d', 'oo']) await callBoth(both, { pattern })
  expect(both.narrowed.commands).toEqual([])
})

test.runIf(hasRipgrep && isPosix)('files over the limit, links and pipes are not for ripgrep', async () => {
  const both = await openBoth()
  await putTree(both.without.dir, { 'big.txt': `${'x\n'.repeat(40_000)}foo\n`, 'a.txt': 'foo\n', 'c.txt': 'x\n' })
  await symlink('a.txt', join(both.without.dir, 'link'))
  await link(join(both.without.dir, 'a.txt'), join(both.without.dir, 'second'))
  execFileSync('mkfifo', [join(both.without.dir, 'pipe')])
  const { text } = await callBoth(both, { pattern: 'foo' })
  expect(text).toContain('[4 hits in 4 files; 5 files searched.]')
  const [command = []] = both.narrowed.commands
  expect(command.slice(command.indexOf('--') + 1)).toEqual(['a.txt', 'c.txt', 'second'])
})

test.runIf(hasRipgrep && isPosix && !isRoot)('a file that nobody may read is counted just so', async () => {
  const both = await openBoth()
  await putTree(both.without.dir, { a: 'foo\n', b: 'foo\n' })
  await chmod(join(both.without.dir, 'b'), 0)
  expect((await callBoth(both, { pattern: 'foo' })).text).toContain('[1 file could not be read.]')
})

async function openProgram(script: string): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-program-')))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const program = join(directory, 'rg')
  await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return program
}

test.runIf(isPosix).each([
  ['fails', 'exit 2'],
  ['is killed', 'kill -9 $$'],
  ['names what it was not given', "printf 'none\\0'"],
  ['names far too much', 'head -c 2000000 /dev/zero'],
])('a ripgrep that %s changes no result', async (_, script) => {
  const both = await openBoth({ ripgrep: await openProgram(script) })
  await putTree(both.without.dir, Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`f${i}`, 'foo\n'])))
  await callBoth(both, { pattern: 'foo' })
  expect(both.narrowed.commands.length).toBeGreaterThan(0)
  expect(both.narrowed.commands.length).toBeLessThanOrEqual(4)
})

test('without ripgrep, or with one that is gone, everything is searched', async () => {
  const both = await openBoth({ ripgrep: join(tmpdir(), 'deckhand-none', 'rg') })
  await putTree(both.without.dir, { a: 'foo\n', b: 'x\n' })
  expect((await callBoth(both, { pattern: 'foo' })).text).toContain('[1 hit in 1 file; 2 files searched.]')
  expect(findRipgrep(pathToFileURL(join(both.without.dir, 'x.js')))).toBeUndefined()
})

test.runIf(isPosix)('an abort ends ripgrep, and nothing of it is left', async () => {
  const { dir, call, commands, ends } = await openSearch({ ripgrep: await openProgram('exec sleep 60') })
  await putTree(dir, { a: 'foo\n', b: 'x\n' })
  const controller = new AbortController()
  const calling = call('grep', { pattern: 'foo' }, { signal: controller.signal })
  await expect.poll(() => commands.length).toBe(1)
  controller.abort()
  expect((await calling).code).toBe('ABORTED')
  expect(await ends()).toEqual([{ signal: expect.stringMatching(/^SIG(TERM|KILL)$/) }])
})

test.runIf(isPosix)('a ripgrep that lies in the workspace is not run', async () => {
  const { dir } = await openSearch({ ripgrep: null })
  await putTree(dir, { a: 'foo\n' })
  await writeFile(join(dir, 'rg'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  const search = await openSearch({ ripgrep: join(dir, 'rg') })
  const { text } = await search.call('grep', { pattern: 'foo' }, { agent: { ...search.agent, cwd: dir, roots: [dir] } })
  expect(text).toContain('a:1: foo')
  expect(search.commands).toEqual([])
})
