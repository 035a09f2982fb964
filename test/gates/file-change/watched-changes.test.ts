import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { EventBurst } from '../../../src/gates/file-change/event-burst.js'
import type { TreesOptions } from '../../../src/gates/file-change/trees.js'
import { openTreeBench, type TreeBench } from './tree-bench.js'

type Step = readonly [act: keyof typeof ACTS, path: string, other: string, text: string]

const ACTS = {
  write: (path, _, text) => writeFileSync(path, text),
  append: (path, _, text) => appendFileSync(path, text),
  truncate: path => truncateSync(path, 1),
  remove: path => rmSync(path, { recursive: true }),
  rename: (path, other) => renameSync(path, other),
  replace: (path, _, text) => {
    writeFileSync(`${path}~`, text)
    renameSync(`${path}~`, path)
  },
  recreate: (path, _, text) => {
    rmSync(path, { recursive: true })
    mkdirSync(path)
    writeFileSync(join(path, 'a'), text)
  },
  swap: (path, other) => {
    renameSync(path, `${path}~`)
    renameSync(other, path)
    renameSync(`${path}~`, other)
  },
  makeFolders: path => mkdirSync(join(path, 'd', 'e'), { recursive: true }),
  makeTree: (path, _, text) => {
    for (const name of ['a', 'b', 'c']) {
      mkdirSync(join(path, name), { recursive: true })
      writeFileSync(join(path, name, 'a'), text)
    }
  },
  touch: path => utimesSync(path, 1_000_000, 1_000_000),
  lock: path => chmodSync(path, lstatSync(path).isDirectory() ? 0o700 : 0o600),
  link: (path, other) => symlinkSync(other, path),
  hardLink: (path, other) => linkSync(other, path),
  ignore: (_, __, text) => writeFileSync(join(rootOf, '.gitignore'), `ignored/\n*.log\n${text === 'x' ? 'd/' : 'b'}\n`),
  many: (path, _, text) => {
    for (let n = 0; n < 40; n++) writeFileSync(join(path, `n${n}`), text)
  },
  temporary: path => writeFileSync(join(path, '..', '.deckhand-0123456789ab.tmp'), 'half'),
} satisfies Record<string, (path: string, other: string, text: string) => void>

let rootOf = ''

const name = fc.constantFrom('a', 'b', 'd', 'e', 'ignored', 'x.log', '.env', 'root')
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map(names => names.join('/'))
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom(...(Object.keys(ACTS) as (keyof typeof ACTS)[])),
  path,
  path,
  fc.constantFrom('x', 'y', 'longer'),
)
const rounds = fc.array(
  fc.record({ before: fc.array(step, { maxLength: 4 }), during: fc.array(step, { maxLength: 8 }) }),
  { minLength: 1, maxLength: 4 },
)

const isLinux = process.platform === 'linux'

it.runIf(isLinux)('watched folders tell of every change of content, and of no other', () => check({}, 30))

it.runIf(isLinux)('they do so also when more events come at once than can be taken', () =>
  check({ burst: new EventBurst(4) }, 15),
)

async function check(options: Partial<TreesOptions>, numRuns: number): Promise<void> {
  const bench = await openTreeBench(options)
  const property = fc.asyncProperty(rounds, async all => {
    start(bench)
    for (const { before, during } of all) {
      take(bench, before)
      const old = await bench.contents()
      const told = await bench.during(() => take(bench, during))
      expect(told).toEqual(await difference(bench, old))
    }
  })
  await fc.assert(property, { numRuns })
  expect(bench.trees.of([bench.root])[0]?.watch.isWatched).toBe(true)
}

/** The root is made anew under the same name, as it may be between two commands. */
function start({ root }: TreeBench): void {
  rootOf = root
  rmSync(root, { recursive: true, force: true })
  mkdirSync(join(root, 'd', 'e'), { recursive: true })
  mkdirSync(join(root, 'ignored'))
  writeFileSync(join(root, '.gitignore'), 'ignored/\n*.log\n')
  for (const file of ['a', 'd/a', 'd/b', 'd/e/a', 'ignored/a']) writeFileSync(join(root, file), 'x')
}

function take({ root }: TreeBench, steps: readonly Step[]): void {
  for (const [act, path, other, text] of steps) {
    try {
      ACTS[act](join(root, path), join(root, other), text)
    } catch {
      // Not every step is possible every time.
    }
  }
}

async function difference({ root, contents }: TreeBench, old: Map<string, string>) {
  const now = await contents()
  const expected: Record<string, unknown> = {}
  for (const path of new Set([...old.keys(), ...now.keys()])) {
    const [before = null, after = null] = [old.get(path), now.get(path)]
    // What is ignored by now is not told of.
    const isLeftOut = after === null && existsSync(join(root, path)) && lstatSync(join(root, path)).isFile()
    if (before !== after && !isLeftOut) expected[path] = [before, after]
  }
  return expected
}
