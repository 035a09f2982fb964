import { mkdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ApprovalQuestion } from '../../../src/registry/index.js'
import { deferred } from '../../registry/support.js'
import { type GateOptions, openGate, rules } from './support.js'

const replace = (path: string) => ({ path, old_string: 'old', new_string: 'new' })

async function openFive(answer: NonNullable<GateOptions['answer']>) {
  const bench = await openGate({ answer })
  for (const name of ['1', '2', '3', '4', '5']) await bench.put(name, 'old\n')
  const edits = () => Promise.all(['1', '2', '3', '4', '5'].map(name => bench.call('edit', replace(name))))
  return { bench, edits }
}

describe('the answers to a question', () => {
  it('runs the call that the user allows, once', async () => {
    const bench = await openGate({ answer: () => 'allow_once' })
    await bench.put('a', 'old\n')
    expect(await bench.call('edit', replace('a'))).toMatchObject({ isError: false })
    expect(String(await bench.bytes('a'))).toBe('new\n')
    await bench.call('edit', { path: 'a', old_string: 'new', new_string: 'old' })
    expect(bench.asked).toHaveLength(2)
    expect(bench.notes).toEqual([])
  })

  it('gives a refusal that says the user refused, and runs nothing (B59)', async () => {
    const bench = await openGate()
    await bench.put('a', 'old\n')
    const result = await bench.call('edit', replace('a'))
    expect(result).toMatchObject({ isError: true, code: 'REFUSED' })
    expect(result.text).toContain('The user refused this call')
    expect(String(await bench.bytes('a'))).toBe('old\n')
  })

  it('a cancelled question stops the call, which is no refusal (B59)', async () => {
    const bench = await openGate({ answer: () => 'cancelled' })
    await bench.put('a', 'old\n')
    expect(await bench.call('edit', replace('a'))).toMatchObject({ isError: true, code: 'ABORTED_BEFORE_DISPATCH' })
  })

  it('reject_always refuses the same without a question, in full access too, and only in this session', async () => {
    const bench = await openGate({ answer: () => 'reject_always' })
    await bench.put('a', 'old\n')
    await bench.put('b', 'old\n')
    await bench.call('edit', replace('a'))
    bench.permissions.setMode(bench.agent.sessionId, 'full-access')
    expect(await bench.call('edit', replace('a'))).toMatchObject({ code: 'REFUSED' })
    expect(await bench.call('edit', replace('b'))).toMatchObject({ isError: false })
    expect(bench.asked).toHaveLength(1)
    expect(bench.notes).toEqual([expect.stringContaining('Refused until this session ends')])
    const other = { ...bench.agent, sessionId: 'other' }
    await bench.call('edit', replace('a'), { agent: other })
    expect(bench.asked).toHaveLength(2)
  })

  it('offers what it would remember in words, and nothing where nothing may be remembered', async () => {
    const bench = await openGate({ tools: { mcp_issue: {} } })
    await bench.put('a', 'old\n')
    await bench.call('edit', replace('a'))
    await bench.call('mcp_issue', {})
    await bench.call('write', { path: 'AGENTS.md', content: '' })
    expect(bench.asked.map(({ always }) => always)).toEqual([
      'Allow edits in this thread',
      'Always allow the tool mcp_issue in this project',
      undefined,
    ])
    expect(bench.asked.map(({ reason }) => reason)).toEqual([
      'it changes a',
      'the tool mcp_issue does not say what it touches',
      'AGENTS.md makes code run later or steers later sessions',
    ])
  })

  it('an approver that fails refuses the call', async () => {
    const bench = await openGate({ answer: () => Promise.reject(new Error('no window')) })
    await bench.put('a', 'old\n')
    expect(await bench.call('edit', replace('a'))).toMatchObject({ isError: true })
    expect(String(await bench.bytes('a'))).toBe('old\n')
  })

  it('without anybody to ask the call is refused, and the text says so', async () => {
    const bench = await openGate({ answer: null })
    await bench.put('a', 'old\n')
    const result = await bench.call('edit', replace('a'))
    expect(result.code).toBe('REFUSED')
    expect(result.text).toContain('nobody can be asked here')
  })
})

describe('paths outside the roots', () => {
  it('an allowed read reaches the file that was asked about', async () => {
    const bench = await openGate({ answer: () => 'allow_once' })
    await mkdir(join(bench.outside, 'docs'))
    const path = join(bench.outside, 'docs', 'o.txt')
    await bench.ctx.tools.execute({
      callId: 'w',
      name: 'write',
      arguments: { path, content: 'hello\n' },
      agent: bench.agent,
    })
    expect(await readFile(path, 'utf8')).toBe('hello\n')
    expect((await bench.call('read', { path })).text).toContain('hello')
    expect(bench.asked).toHaveLength(2)
  })

  it('a link that is swapped after the answer does not lead further than what was asked (B63)', async () => {
    const bench = await openGate({
      answer: async () => {
        await rm(bench.path('link'))
        await symlink(join(bench.outside, 'two'), bench.path('link'))
        return 'allow_once' as const
      },
    })
    await symlink(join(bench.outside, 'one'), bench.path('link'))
    await bench.call('write', { path: 'link', content: 'x' })
    expect(bench.asked).toHaveLength(2)
    expect(await readFile(join(bench.outside, 'two'), 'utf8').catch(() => 'none')).toBe('x')
    expect(await readFile(join(bench.outside, 'one'), 'utf8').catch(() => 'none')).toBe('none')
  })
})

describe('several questions at once (J2)', () => {
  it('one always-answer decides all that wait: one question, five edits', async () => {
    const { bench, edits } = await openFive(() => 'allow_always')
    const results = await edits()
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false, false, false])
    expect(bench.asked).toHaveLength(1)
    expect(bench.notes).toEqual([expect.stringContaining('its mode is now "Accept edits"')])
    expect(bench.permissions.mode('bench')).toBe('accept-edits')
    for (const result of results) {
      expect(result.resultCard).toMatchObject({ card: 'diff', diffs: [{ oldText: 'old\n', newText: 'new\n' }] })
    }
  })

  it('asks one at a time, in the order of the calls', async () => {
    let open = 0
    let most = 0
    const { bench, edits } = await openFive(async () => {
      most = Math.max(most, ++open)
      await new Promise(resolve => setTimeout(resolve, 5))
      open--
      return 'allow_once' as const
    })
    await edits()
    expect(most).toBe(1)
    expect(bench.asked.map(({ exec }) => exec.arguments.path)).toEqual(['1', '2', '3', '4', '5'])
  })

  it('a deny rule that comes meanwhile wins over the answer, also over the one that is being given', async () => {
    const { bench, edits } = await openFive(() => {
      bench.permissions.configure({
        strict: false,
        shell: { login: false },
        permissions: {
          mode: 'ask',
          userCommands: 'allow',
          commands: rules({}),
          read: rules({}),
          write: rules({ deny: ['1', '4'] }),
          tools: rules({}),
          hosts: rules({}),
        },
      })
      return 'allow_always'
    })
    const results = await edits()
    expect(results.map(({ code }) => code)).toEqual(['REFUSED', undefined, undefined, 'REFUSED', undefined])
    expect(bench.asked).toHaveLength(1)
  })

  it('two sessions do not wait for each other', async () => {
    const first = deferred<'allow_once'>()
    const bench = await openGate({
      answer: ({ exec }: ApprovalQuestion) => (exec.agent?.sessionId === 'bench' ? first.promise : 'allow_once'),
    })
    await bench.put('a', 'old\n')
    await bench.put('b', 'old\n')
    const waiting = bench.call('edit', replace('a'))
    const other = await bench.call('edit', replace('b'), { agent: { ...bench.agent, sessionId: 'other' } })
    expect(other.isError).toBe(false)
    first.resolve('allow_once')
    expect((await waiting).isError).toBe(false)
  })

  it('an abort while a call waits ends its wait at once, and the others go on', async () => {
    const first = deferred<'allow_once'>()
    const { bench } = await openFive(() => first.promise)
    const stop = new AbortController()
    const one = bench.call('edit', replace('1'))
    const two = bench.call('edit', replace('2'), { signal: stop.signal })
    const three = bench.call('edit', replace('3'))
    stop.abort()
    expect((await two).code).toBe('ABORTED_BEFORE_DISPATCH')
    first.resolve('allow_once')
    expect((await one).isError).toBe(false)
    expect((await three).isError).toBe(false)
    expect(bench.asked.map(({ exec }) => exec.arguments.path)).toEqual(['1', '3'])
  })

  it('an abort of the call that is being asked about closes its question, even for an approver that does not listen', async () => {
    const { bench } = await openFive(({ exec }) => (exec.arguments.path === '1' ? new Promise(() => {}) : 'allow_once'))
    const stop = new AbortController()
    const one = bench.call('edit', replace('1'), { signal: stop.signal })
    const two = bench.call('edit', replace('2'))
    while (bench.asked.length === 0) await new Promise(resolve => setImmediate(resolve))
    stop.abort()
    expect((await one).code).toBe('ABORTED_BEFORE_DISPATCH')
    expect(bench.asked[0]?.signal.aborted).toBe(true)
    expect((await two).isError).toBe(false)
  })

  it('a session that is closed ends its waits, and leaves none behind', async () => {
    const { bench } = await openFive(() => new Promise(() => {}))
    const waiting = [bench.call('edit', replace('1')), bench.call('edit', replace('2'))]
    while (bench.asked.length === 0) await new Promise(resolve => setImmediate(resolve))
    bench.permissions.forget('bench')
    for (const result of await Promise.all(waiting)) expect(result.code).toBe('ABORTED_BEFORE_DISPATCH')
    expect(bench.permissions.session('bench').questions.size).toBe(0)
  })
})
