import { chmod, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RememberedAnswers } from '../../../src/gates/permission/index.js'
import { warnings } from '../../registry/support.js'
import { isPosix } from '../../support/platform.js'
import { openGate } from './support.js'

const TOOLS = {
  mcp_issue: {},
  fetch: { effects: ({ hosts }: Record<string, unknown>) => ({ network: hosts as string[] }) },
}

describe('an always-answer for a project', () => {
  it('is remembered in the state directory, told in the thread, and holds for later sessions of the project', async () => {
    const bench = await openGate({ tools: TOOLS, answer: () => 'allow_always' })
    await bench.call('mcp_issue', {})
    const path = join(bench.stateDir, 'permissions.json')
    const [stored] = await bench.permissions.remembered.list()
    expect(stored).toMatchObject({ project: bench.dir, answer: { type: 'tool', name: 'mcp_issue' } })
    expect(bench.notes).toEqual([expect.stringContaining(`deckhand permissions remove ${stored?.id}`)])
    expect(bench.notes[0]).toContain(path)
    await bench.call('mcp_issue', {}, { agent: { ...bench.agent, sessionId: 'later' } })
    expect(bench.asked).toHaveLength(1)
    if (isPosix) expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('does not hold in another project, and holds for a linked spelling of this one (B42)', async () => {
    const bench = await openGate({ tools: TOOLS, answer: () => 'allow_always' })
    await mkdir(join(bench.outside, 'other'))
    await symlink(bench.dir, join(bench.outside, 'same'))
    await bench.call('mcp_issue', {})
    const at = (cwd: string) => ({ agent: { ...bench.agent, cwd, roots: [cwd], sessionId: cwd } })
    await bench.call('mcp_issue', {}, at(join(bench.outside, 'same')))
    expect(bench.asked).toHaveLength(1)
    await bench.call('mcp_issue', {}, at(join(bench.outside, 'other')))
    expect(bench.asked).toHaveLength(2)
  })

  it('remembers each host of a call by itself, whatever its case', async () => {
    const bench = await openGate({ tools: TOOLS, answer: () => 'allow_always' })
    await bench.call('fetch', { hosts: ['A.example', 'b.example'] })
    expect(bench.asked[0]?.always).toBe(
      'Always allow fetching from a.example and fetching from b.example in this project',
    )
    await bench.call('fetch', { hosts: ['B.example'] })
    await bench.call('fetch', { hosts: ['b.example', 'c.example'] })
    expect(bench.asked.map(({ reason }) => reason).slice(1)).toEqual(['it fetches from c.example'])
  })

  it('does not outlive its removal, nor beat plan mode or a rejection', async () => {
    const bench = await openGate({ tools: TOOLS, answer: () => 'allow_always' })
    await bench.call('mcp_issue', {})
    bench.permissions.setMode('bench', 'plan')
    expect((await bench.call('mcp_issue', {})).code).toBe('REFUSED')
    bench.permissions.setMode('bench', 'ask')
    const [stored] = await bench.permissions.remembered.list()
    expect(await bench.permissions.remembered.remove(stored?.id ?? '')).toEqual(stored)
    expect(await bench.permissions.remembered.remove(stored?.id ?? '')).toBeUndefined()
    await bench.call('mcp_issue', {})
    expect(bench.asked).toHaveLength(2)
  })

  it('that cannot be stored counts once, and the thread says why', async () => {
    const bench = await openGate({ tools: TOOLS, answer: () => 'allow_always' })
    await writeFile(bench.stateDir, 'a file where the folder should be')
    expect((await bench.call('mcp_issue', {})).isError).toBe(false)
    expect(bench.notes).toEqual([expect.stringContaining('Allowed this once, but not remembered')])
    await bench.call('mcp_issue', {})
    expect(bench.asked).toHaveLength(2)
  })
})

describe('the file of remembered answers', () => {
  it.each([
    ['no JSON', '{"version":1,"answers":[', /damaged/],
    ['another version', '{"version":2,"answers":[]}', /damaged/],
    ['an entry that is none', '{"version":1,"answers":[{"id":"a","answer":{"type":"tool"}}]}', /1 of its answers/],
  ])('that holds %s counts as no answers, is reported once and kept aside', async (_what, content, problem) => {
    const bench = await openGate({ tools: TOOLS, answer: () => 'allow_once' })
    await mkdir(bench.stateDir)
    const path = join(bench.stateDir, 'permissions.json')
    await writeFile(path, content, { mode: 0o600 })
    await bench.call('mcp_issue', {})
    await bench.call('mcp_issue', {})
    expect(bench.asked).toHaveLength(2)
    expect(warnings(bench.ctx).filter(line => problem.test(line))).toHaveLength(1)
    await bench.permissions.remembered.add(bench.dir, { type: 'tool', name: 'mcp_issue' })
    expect(await readFile(`${path}.damaged`, 'utf8')).toBe(content)
    expect(await bench.permissions.remembered.list()).toHaveLength(1)
  })

  it.runIf(isPosix)('that others can write counts as no answers', async () => {
    const bench = await openGate({ tools: TOOLS })
    await bench.permissions.remembered.add(bench.dir, { type: 'tool', name: 'mcp_issue' })
    await chmod(bench.permissions.remembered.path, 0o622)
    await bench.call('mcp_issue', {})
    expect(bench.asked).toHaveLength(1)
    expect(warnings(bench.ctx).join()).toContain('can be written by others')
  })

  it('is taken over from a process that died while it held it', async () => {
    const { stateDir, dir } = await openGate()
    const store = new RememberedAnswers(stateDir)
    await store.add(dir, { type: 'tool', name: 'one' })
    const lock = `${store.path}.lock`
    await writeFile(lock, '')
    await utimes(lock, new Date(), new Date(Date.now() - 60_000))
    await store.add(dir, { type: 'tool', name: 'two' })
    expect(await store.list()).toHaveLength(2)
    expect(await readdir(stateDir)).toEqual(['permissions.json'])
  })

  it('takes many answers at once and keeps one of each', async () => {
    const bench = await openGate()
    const { stateDir, dir } = bench
    const store = new RememberedAnswers(stateDir)
    const names = Array.from({ length: 20 }, (_, index) => `tool-${index}`)
    const added = await Promise.all(names.map(name => store.add(dir, { type: 'tool', name })))
    expect(new Set(added.map(({ id }) => id)).size).toBe(20)
    const again = await new RememberedAnswers(stateDir).add(dir, { type: 'tool', name: 'tool-3' })
    expect(again).toEqual(added[3])
    expect((await store.list()).map(({ answer }) => answer)).toEqual(names.map(name => ({ type: 'tool', name })))
    expect(await readdir(stateDir)).toEqual(['permissions.json'])
  })
})
