import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { warnings } from '../../registry/support.js'
import { holdTimers } from '../../support/hold-timers.js'
import { isRunning, until } from '../../support/processes.js'
import { openStage } from './support.js'

test('a hook reads the call as JSON, and its standard input ends after it', async () => {
  const stage = await openStage([
    { event: 'before', command: 'cat > before.json' },
    { event: 'after', command: 'cat > after.json' },
  ])
  await stage.call('change', { path: 'a.txt', content: 'x' })
  const read = (name: string) => JSON.parse(readFileSync(join(stage.dir, name), 'utf8'))
  expect(read('before.json')).toEqual({
    event: 'before',
    callId: 'c1',
    tool: 'change',
    effects: { writes: ['a.txt'] },
    arguments: { path: 'a.txt', content: 'x' },
    session: 's1',
    turn: 't1',
    cwd: stage.dir,
    roots: [stage.dir],
    origin: 'model',
  })
  expect(read('after.json')).toMatchObject({
    event: 'after',
    result: { isError: false, content: [{ type: 'text', text: 'done' }], meta: { kept: true } },
  })
})

test('a hook after a failed call learns how it failed', async () => {
  const stage = await openStage([{ event: 'after', command: 'cat > after.json' }])
  await stage.call('fail')
  const { result } = JSON.parse(readFileSync(join(stage.dir, 'after.json'), 'utf8'))
  expect(result).toMatchObject({ isError: true, code: 'TOOL_FAILED' })
})

test('exit 2 refuses the call with what the hook wrote to stderr', async () => {
  const stage = await openStage([{ event: 'before', command: 'echo "no commits on Friday" >&2; exit 2' }])
  const result = await stage.call('change')
  expect(result).toMatchObject({ isError: true, error: { code: 'REFUSED' } })
  expect(result.text).toContain('no commits on Friday')
  expect(stage.ran).toEqual([])
})

test('a JSON answer refuses the call, and hooks after it do not run', async () => {
  const stage = await openStage([
    { event: 'before', command: `echo '{"decision":"deny","reason":"frozen","context":"ask Ann"}'` },
    { event: 'before', command: 'touch second' },
  ])
  const result = await stage.call('change')
  expect(result.error?.code).toBe('REFUSED')
  expect(result.text).toMatch(/frozen[\s\S]*ask Ann/)
  expect(existsSync(join(stage.dir, 'second'))).toBe(false)
  expect(stage.ran).toEqual([])
})

test('context of hooks before and after follows the result, whose own content and meta stay', async () => {
  const stage = await openStage([
    { event: 'before', command: `echo '{"context":"tabs, not blanks"}'` },
    { event: 'after', command: `echo '{"context":"3 warnings"}'` },
    { event: 'after', command: 'echo "line 4 is too long" >&2; exit 2' },
  ])
  const { content, meta, isError } = await stage.call('change')
  expect({ meta, isError }).toEqual({ meta: { kept: true }, isError: false })
  expect(content.map(block => (block.type === 'text' ? block.text : ''))).toEqual([
    'done',
    expect.stringContaining('tabs, not blanks'),
    expect.stringContaining('3 warnings'),
    expect.stringContaining('line 4 is too long'),
  ])
})

test('"allow" lets nothing through that a gate after it refuses', async () => {
  const stage = await openStage([{ event: 'before', command: `echo '{"decision":"allow"}'` }])
  stage.ctx.on('tools/execute', exec => ({ callId: exec.callId, content: [], isError: true }))
  expect((await stage.call('change')).isError).toBe(true)
  expect(stage.ran).toEqual([])
})

test('effects and a glob of tool names choose the calls; a tool that declares nothing fits every effect', async () => {
  const stage = await openStage([
    { event: 'before', effects: ['writes'], command: 'echo writes >> ran' },
    { event: 'before', effects: ['undeclared'], command: 'echo undeclared >> ran' },
    { event: 'before', tools: 'l*k', command: 'echo named >> ran' },
  ])
  const ranFor = async (tool: string) => {
    const before = existsSync(join(stage.dir, 'ran')) ? readFileSync(join(stage.dir, 'ran'), 'utf8') : ''
    await stage.call(tool)
    const after = existsSync(join(stage.dir, 'ran')) ? readFileSync(join(stage.dir, 'ran'), 'utf8') : ''
    return after.slice(before.length).split('\n').filter(Boolean)
  }
  expect(await ranFor('change')).toEqual(['writes'])
  expect(await ranFor('look')).toEqual(['named'])
  expect(await ranFor('anything')).toEqual(['writes', 'undeclared'])
  expect(await ranFor('fail')).toEqual([])
})

test('a program with arguments runs without a shell', async () => {
  const stage = await openStage([{ event: 'before', command: ['touch', 'a b; c'] }])
  await stage.call('change')
  expect(existsSync(join(stage.dir, 'a b; c'))).toBe(true)
})

test.each([
  ['an exit code of its own', 'echo oops >&2; exit 7', /exit code 7: oops/],
  ['a signal', 'kill -9 $$', /SIGKILL/],
  ['bad JSON', 'echo "{bad"', /begins like JSON/],
  ['an unknown decision', `echo '{"decision":"maybe"}'`, /"allow" or "deny"/],
  ['a reason that is no text', `echo '{"decision":"deny","reason":1}'`, /reason must be text/],
  ['a missing program', ['/no/such/hook'], /no such program/],
  ['too much output', `printf '{"context":"'; head -c 100000 /dev/zero | tr '\\0' x; printf '"}'`, /more than 64 KiB/],
])('a hook broken by %s is reported and lets the call go on', async (_what, command, words) => {
  const stage = await openStage([{ event: 'before', command }])
  const result = await stage.call('change')
  expect(result).toMatchObject({ isError: false, text: 'done' })
  expect(warnings(stage.ctx).join('\n')).toMatch(words)
  expect(stage.notes).toEqual([expect.stringMatching(words)])
  await stage.call('change')
  expect(stage.notes).toHaveLength(1)
})

test('a hook that must pass refuses the call when it is broken', async () => {
  const stage = await openStage([{ event: 'before', required: true, command: 'exit 7' }])
  expect((await stage.call('change')).error?.code).toBe('REFUSED')
  expect(stage.ran).toEqual([])
})

test('a hook that takes too long is killed with what it started, and the call goes on', async () => {
  const stage = await openStage([{ event: 'before', timeoutMs: 80, command: 'echo $$ > pid; sleep 300 & wait' }])
  const endTime = holdTimers()
  const result = stage.call('change')
  const path = join(stage.dir, 'pid')
  await until(() => existsSync(path) && readFileSync(path, 'utf8').endsWith('\n'))
  endTime()
  expect((await result).text).toBe('done')
  expect(stage.notes).toEqual([expect.stringContaining('longer than 80 ms')])
  await until(() => !isRunning(Number(readFileSync(path, 'utf8'))))
})

test('a call that is stopped kills its hook and does not run', async () => {
  const stage = await openStage([{ event: 'before', command: 'echo $$ > pid; exec sleep 300' }])
  const controller = new AbortController()
  const result = stage.call('change', {}, controller.signal)
  const path = join(stage.dir, 'pid')
  await until(() => existsSync(path) && readFileSync(path, 'utf8').endsWith('\n'))
  controller.abort()
  expect((await result).error?.code).toBe('ABORTED_BEFORE_DISPATCH')
  expect(stage.ran).toEqual([])
  expect(stage.notes).toEqual([])
  await until(() => !isRunning(Number(readFileSync(path, 'utf8'))))
})

test('what a hook leaves in the background ends with its session', async () => {
  const stage = await openStage([{ event: 'before', command: 'sleep 300 & echo $! > pid' }])
  await stage.call('change')
  const pid = Number(readFileSync(join(stage.dir, 'pid'), 'utf8'))
  expect(isRunning(pid)).toBe(true)
  await stage.ctx.launcher.release('s1')
  expect(isRunning(pid)).toBe(false)
})

test('a hook that does not read its input is not broken', async () => {
  const stage = await openStage([{ event: 'before', command: 'exec true' }])
  const result = await stage.call('change', { content: 'x'.repeat(1_000_000) })
  expect(result.text).toBe('done')
  expect(stage.notes).toEqual([])
})
