import { execFile } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { WireChecker } from '../../src/bridge/check/checker.js'
import { expectValidFrames } from '../support/schema.js'
import { cards, deckhand, makeDirectory } from './support.js'

const root = resolve(import.meta.dirname, '../..')
const examples = readdirSync(join(root, 'examples'), { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(({ name }) => name)

/** Calls a tool of an example with the bin; checks every frame. */
async function callExample(example: string, tool: string, args: object, cwd: string, client = 'zed') {
  const plugin = join(root, 'examples', example, `${example}.js`)
  const words = ['call', tool, JSON.stringify(args), '--plugin', plugin, '--cwd', cwd, '--wire', '--client', client]
  const { code, stdout, stderr } = await deckhand(words, { env: { DECKHAND_STATE_DIR: makeDirectory('state') } })
  const frames = stdout
    .trimEnd()
    .split('\n')
    .map(line => ({ dir: 'out' as const, msg: JSON.parse(line) }))
  expectValidFrames(frames)
  const checker = new WireChecker()
  expect(frames.flatMap(frame => checker.check(frame))).toEqual([])
  const [card] = cards(frames.map(({ msg }) => msg.params.update))
  return { code, stderr, card }
}

describe('examples', () => {
  it('are three', () => {
    expect(examples).toEqual(['formatter', 'issue-tracker', 'test-runner'])
  })

  it.each(examples)("of %s passes its own tests under Node's test runner", async example => {
    const folder = join(root, 'examples', example)
    const output = await new Promise<string>(done => {
      // Without what tells a process that it is run by another test runner.
      const env = { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined }
      const files = readdirSync(folder).filter(name => name.endsWith('.test.js'))
      execFile(process.execPath, ['--test', '--test-reporter=tap', ...files], { cwd: folder, env }, (_error, stdout) =>
        done(stdout),
      )
    })
    expect(output.match(/^ *not ok .*[\s\S]{0,2000}/m)?.[0]).toBeUndefined()
    expect(output).toMatch(/^# fail 0$/m)
    expect(output.match(/^ +ok \d+ - .*$/gm)?.length).toBeGreaterThanOrEqual(15)
  })
})

describe('an example loaded by --plugin', () => {
  it('formats two files and shows each changed place as a diff', async () => {
    const cwd = makeDirectory()
    writeFileSync(join(cwd, 'a.txt'), `one  \n${'-\n'.repeat(20)}two  \n`)
    writeFileSync(join(cwd, 'b.txt'), 'three\n\n\n')
    const { code, card } = await callExample('formatter', 'format', { paths: ['a.txt', 'b.txt'] }, cwd)
    expect({ code, title: card?.fields.title, kind: card?.fields.kind }).toEqual({
      code: 0,
      title: 'Format a.txt, b.txt',
      kind: 'edit',
    })
    const diffs = card?.fields.content as { type: string; path: string; newText: string }[]
    expect(diffs.map(({ type, path }) => [type, path])).toEqual([
      ['diff', join(cwd, 'a.txt')],
      ['diff', join(cwd, 'a.txt')],
      ['diff', join(cwd, 'b.txt')],
    ])
    expect(card?.fields.locations).toEqual([
      { path: join(cwd, 'a.txt'), line: 1 },
      { path: join(cwd, 'b.txt'), line: expect.any(Number) },
    ])
  })

  it.each(['zed', 'plain'])(
    'runs tests in a terminal card and points at the failure, for the client %s',
    async client => {
      const cwd = makeDirectory()
      writeFileSync(
        join(cwd, 'bad.test.mjs'),
        "import test from 'node:test'\n\ntest('fails', () => {\n  throw new Error('no')\n})\n",
      )
      const { code, card } = await callExample('test-runner', 'run_tests', { file: 'bad.test.mjs' }, cwd, client)
      expect({ code, status: card?.fields.status, kind: card?.fields.kind }).toEqual({
        code: 1,
        status: 'failed',
        kind: 'execute',
      })
      expect(card?.fields.locations).toEqual([{ path: join(cwd, 'bad.test.mjs'), line: 3 }])
      const shown = card?.terminal?.data ?? JSON.stringify(card?.fields.content)
      expect(shown).toContain('not ok 1 - fails')
    },
  )

  it('looks up an issue of a file of the project', async () => {
    const cwd = makeDirectory()
    writeFileSync(
      join(cwd, 'issues.json'),
      JSON.stringify([{ id: 7, title: 'Crash on start', body: 'It ends at once.' }]),
    )
    const { code, card } = await callExample('issue-tracker', 'issue', { id: 7 }, cwd)
    expect({ code, kind: card?.fields.kind, title: card?.fields.title }).toEqual({
      code: 0,
      kind: 'read',
      title: '#7 Crash on start (open)',
    })
    expect(JSON.stringify(card?.fields.content)).toContain('It ends at once.')
    expect(card?.fields.locations).toEqual([{ path: join(cwd, 'issues.json') }])
    const none = await callExample('issue-tracker', 'issue', { id: 8 }, cwd)
    expect({ code: none.code, status: none.card?.fields.status }).toEqual({ code: 1, status: 'failed' })
  })
})
