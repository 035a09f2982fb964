import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Mode } from '../../../src/gates/permission/index.js'
import { putTree } from '../../support/tree.js'
import { type GateBench, openGate, rules } from './support.js'

const TOOLS = {
  touch: { effects: ({ path }: Record<string, unknown>) => ({ writes: [String(path)] }) },
  mcp_issue: {},
  fetch: { effects: ({ host }: Record<string, unknown>) => ({ network: [String(host)] }) },
}
const EVERY_MODE: Mode[] = ['ask', 'accept-edits', 'plan', 'full-access']

async function decide({ agent, permissions }: GateBench, name: string, args: object, origin?: 'user') {
  const who = origin ? { ...agent, origin } : agent
  return (await permissions.decide({ name, arguments: { ...args }, agent: who })).decision
}

describe('rules of the config', () => {
  it.each(EVERY_MODE)('a deny rule beats everything in mode %s, and a typed call too', async mode => {
    const bench = await openGate({
      mode,
      tools: TOOLS,
      permissions: {
        write: rules({ allow: ['**'], deny: ['src/gen/', '*.lock'] }),
        read: rules({ deny: ['private'] }),
        tools: rules({ deny: ['mcp_*', 'read'], allow: ['mcp_issue'] }),
        hosts: rules({ deny: ['*.evil.example'] }),
      },
    })
    const denied: [string, object][] = [
      ['touch', { path: 'src/gen/a.ts' }],
      ['touch', { path: 'deep/down/yarn.lock' }],
      ['grep', { pattern: 'x', path: 'private/notes' }],
      ['read', { path: 'a' }],
      ['mcp_issue', {}],
      ['fetch', { host: 'WWW.evil.example' }],
    ]
    for (const [name, args] of denied) {
      expect([name, await decide(bench, name, args)]).toEqual([name, 'deny'])
      expect([name, await decide(bench, name, args, 'user')]).toEqual([name, 'deny'])
    }
  })

  it('allow rules free what they name, ask rules ask for what was free', async () => {
    const bench = await openGate({
      tools: TOOLS,
      permissions: {
        write: rules({ allow: ['src/**'], ask: ['src/core'] }),
        read: rules({ ask: ['notes/*.txt'] }),
        tools: rules({ allow: ['mcp_issue'] }),
        hosts: rules({ allow: ['docs.example'] }),
      },
    })
    const decisions = {
      'src/a': await decide(bench, 'touch', { path: 'src/a' }),
      'src/core/a': await decide(bench, 'touch', { path: 'src/core/a' }),
      'other/a': await decide(bench, 'touch', { path: 'other/a' }),
      'notes/a.txt': await decide(bench, 'read', { path: 'notes/a.txt' }),
      mcp: await decide(bench, 'mcp_issue', {}),
      docs: await decide(bench, 'fetch', { host: 'docs.example' }),
      other: await decide(bench, 'fetch', { host: 'docs.example.org' }),
    }
    expect(decisions).toEqual({
      'src/a': 'allow',
      'src/core/a': 'ask',
      'other/a': 'ask',
      'notes/a.txt': 'ask',
      mcp: 'allow',
      docs: 'allow',
      other: 'ask',
    })
  })

  it('an allow rule on a tool that says what it touches opens nothing that it touches (B62)', async () => {
    const bench = await openGate({ tools: TOOLS, permissions: { tools: rules({ allow: ['*'] }) } })
    expect(await decide(bench, 'touch', { path: 'a' })).toBe('ask')
  })

  it('rules go by where a path leads: a link carries nothing into an allow rule, and nothing out of a deny rule (B63)', async () => {
    const bench = await openGate({
      tools: TOOLS,
      permissions: { write: rules({ allow: ['open/**'], deny: ['closed'] }) },
    })
    await putTree(bench.dir, { 'open/a': '', 'closed/b': '', 'plain/c': '' })
    await symlink(bench.path('plain', 'c'), bench.path('open', 'to-plain'))
    await symlink(bench.path('closed', 'b'), bench.path('open', 'to-closed'))
    await symlink(bench.path('plain', 'c'), bench.path('closed', 'to-plain'))
    expect(await decide(bench, 'touch', { path: 'open/a' })).toBe('allow')
    expect(await decide(bench, 'touch', { path: 'open/to-plain' })).toBe('ask')
    expect(await decide(bench, 'touch', { path: 'open/to-closed' })).toBe('deny')
    expect(await decide(bench, 'touch', { path: 'closed/to-plain' })).toBe('deny')
  })

  it('an absolute rule covers a folder outside the roots; nothing opens our own files (J3)', async () => {
    const bench = await openGate({ tools: TOOLS })
    const { outside, stateDir } = bench
    bench.permissions.configure({
      strict: false,
      shell: { login: false },
      permissions: {
        mode: 'ask',
        userCommands: 'allow',
        commands: rules({}),
        read: rules({}),
        tools: rules({}),
        hosts: rules({}),
        write: rules({ allow: [outside] }),
      },
    })
    expect(await decide(bench, 'touch', { path: join(outside, 'a') })).toBe('allow')
    expect(await decide(bench, 'touch', { path: join(stateDir, 'permissions.json') })).toBe('deny')
  })

  it('while the config has problems all that would be free asks, in every mode but plan, and nothing can be remembered', async () => {
    for (const mode of ['ask', 'accept-edits', 'full-access'] as const) {
      const bench = await openGate({ mode, strict: true, tools: TOOLS })
      for (const [name, args] of [
        ['read', { path: 'a' }],
        ['touch', { path: 'a' }],
        ['mcp_issue', {}],
      ] as const) {
        const verdict = await bench.permissions.decide({ name, arguments: args, agent: bench.agent })
        expect(verdict).toMatchObject({ decision: 'ask', always: [] })
      }
    }
    const plan = await openGate({ mode: 'plan', strict: true, tools: TOOLS })
    expect(await decide(plan, 'touch', { path: 'a' })).toBe('deny')
  })
})

describe('calls that the user typed', () => {
  it('are authorised by the typing, in plan mode too', async () => {
    for (const mode of EVERY_MODE) {
      const bench = await openGate({ mode, tools: TOOLS })
      expect(await decide(bench, 'touch', { path: 'AGENTS.md' }, 'user')).toBe('allow')
      expect(await decide(bench, 'read', { path: '.env' }, 'user')).toBe('allow')
      expect(await decide(bench, 'mcp_issue', {}, 'user')).toBe('allow')
    }
  })

  it('ask all the same when the real path leaves the roots, and never touch our own files (B63, J3)', async () => {
    const bench = await openGate({ mode: 'full-access', tools: TOOLS })
    await mkdir(join(bench.outside, 'd'))
    await symlink(join(bench.outside, 'd'), bench.path('d'))
    await symlink(join(bench.outside, 'none'), bench.path('l'))
    for (const path of ['d/new/x', 'l', '../x']) {
      expect([path, await decide(bench, 'touch', { path }, 'user')]).toEqual([path, 'ask'])
    }
    expect(await decide(bench, 'read', { path: bench.configPath }, 'user')).toBe('deny')
  })

  it('with userCommands ask the table decides, as for a model', async () => {
    const bench = await openGate({ tools: TOOLS, permissions: { userCommands: 'ask' } })
    expect(await decide(bench, 'touch', { path: 'a' }, 'user')).toBe('ask')
    expect(await decide(bench, 'read', { path: 'a' }, 'user')).toBe('allow')
  })

  it('with userCommands off nothing runs, and the refusal names the setting', async () => {
    const bench = await openGate({ answer: () => 'allow_once', permissions: { userCommands: 'off' } })
    const result = await bench.call('todo', { entries: [] }, { agent: { ...bench.agent, origin: 'user' } })
    expect(result.code).toBe('REFUSED')
    expect(result.text).toContain('permissions.userCommands')
    expect(bench.asked).toEqual([])
  })
})

describe('plan mode', () => {
  it('a refusal tells the model to present its plan', async () => {
    const bench = await openGate({ mode: 'plan', answer: () => 'allow_once' })
    const result = await bench.call('write', { path: 'a', content: 'x' })
    expect(result.code).toBe('REFUSED')
    expect(result.text).toContain('present your plan')
    expect(bench.asked).toEqual([])
  })

  it('is left only with the consent of the user', async () => {
    let answer: 'allow_once' | 'reject_once' = 'reject_once'
    const bench = await openGate({ mode: 'plan', answer: () => answer, tools: { plan_done: { effects: () => ({}) } } })
    const left: boolean[] = []
    bench.ctx.on('tools/execute', async (exec, next) => {
      if (exec.callId !== 'none') left.push(await bench.permissions.leavePlanMode(exec, 'accept-edits'))
      return next()
    })
    await bench.call('plan_done', {})
    expect(bench.permissions.mode('bench')).toBe('plan')
    answer = 'allow_once'
    await bench.call('plan_done', {})
    await bench.call('plan_done', {})
    expect(left).toEqual([false, true, true])
    expect(bench.permissions.mode('bench')).toBe('accept-edits')
    expect(bench.asked).toHaveLength(2)
  })
})
