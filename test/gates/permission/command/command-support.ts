import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { parseCommandPattern } from '../../../../src/config/index.js'
import {
  type CommandDecision,
  type CommandRule,
  decideCommand,
} from '../../../../src/gates/permission/command/index.js'

export interface Lists {
  allow?: readonly string[]
  ask?: readonly string[]
  deny?: readonly string[]
}

export interface CommandBench {
  /** The only root, without links. */
  readonly root: string
  /** A folder beside it. */
  readonly outside: string
  decide(command: string, lists?: Lists, place?: { cwd?: string; shell?: string }): Promise<CommandDecision>
}

/** A workspace with a few files, made before the tests of a file and removed after them. */
export function useCommandBench(): CommandBench {
  const bench = { root: '', outside: '' }
  let base = ''
  beforeAll(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-commands-')))
    bench.root = join(base, 'root')
    bench.outside = join(base, 'outside')
    const files = [
      'a.txt',
      'b.txt',
      'src/a.ts',
      'src/b.ts',
      'keys/server.pem',
      'keys/note.md',
      'config/credentials.json',
    ]
    for (const name of files) await put(join(bench.root, name))
    for (const name of ['.env', '.env.example', 'notes/.npmrc', 'notes/readme.md']) await put(join(bench.root, name))
    await put(join(bench.outside, 'x.txt'))
    await symlink(bench.outside, join(bench.root, 'out'))
    await symlink(join(bench.root, '.env'), join(bench.root, 'plain'))
    await symlink(join(bench.root, 'src'), join(bench.root, 'source'))
  })
  afterAll(() => rm(base, { recursive: true, force: true }))
  return {
    get root() {
      return bench.root
    },
    get outside() {
      return bench.outside
    },
    decide: (command, lists = {}, { cwd = bench.root, shell } = {}) =>
      decideCommand(command, {
        cwd,
        roots: [bench.root],
        rules: { allow: toRules(lists.allow), ask: toRules(lists.ask), deny: toRules(lists.deny) },
        resolve: path => follow(path, bench.root),
        ...(shell === undefined ? {} : { shell }),
      }),
  }
}

function toRules(patterns: readonly string[] = []): CommandRule[] {
  return patterns.map(pattern => ({ words: parseCommandPattern(pattern), source: 'your config' }))
}

async function follow(path: string, root: string): Promise<{ realPath: string; inside: boolean }> {
  const realPath = await realpath(path).catch(() => path)
  const steps = relative(root, realPath)
  return { realPath, inside: steps === '' || (!/^\.\.([\\/]|$)/.test(steps) && !isAbsolute(steps)) }
}

async function put(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, 'text\n')
}
