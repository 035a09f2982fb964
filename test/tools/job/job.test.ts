import { describe, expect, it } from 'vitest'
import { holdTimers } from '../../support/hold-timers.js'
import { isRunning } from '../../support/processes.js'
import { openJobs } from './job-support.js'

describe('bash in the background', () => {
  it('returns at once with the id of a job, and says how to go on', async () => {
    const { run, ctx } = await openJobs()
    const args = { command: 'echo up; sleep 300', background: true }
    const { result, text, terminal } = await run('bash', args)
    const { job: id } = result.meta as { job: string }
    expect(result.isError).toBe(false)
    expect(id).toMatch(/^job-[0-9a-f]{4}$/)
    expect(text).toContain(`id ${id}`)
    expect(text).toMatch(/output.*wait.*kill/)
    expect(terminal).toBe(`[runs in the background as ${id}]\n`)
    // It has not ended, so its card has neither exit code nor signal.
    expect(ctx.tools.presentResult('bash', args, result)).toEqual({ card: 'terminal' })
    expect(ctx.tools.effects('bash', args)).toEqual({ runs: args.command })
  })

  it('lives on after its call, and ends with its session (B23)', async () => {
    const { run, start, printed, ctx } = await openJobs()
    const id = await start('sleep 300 & echo "child $!."; wait')
    await printed(id, '.')
    const { text } = await run('job', { action: 'output', id })
    const pid = Number(/child (\d+)/.exec(text)?.[1])
    expect(isRunning(pid)).toBe(true)
    await ctx.launcher.release('bench')
    expect(isRunning(pid)).toBe(false)
    ctx.jobs.forget('bench')
    expect((await run('job', { action: 'output', id })).code).toBe('UNKNOWN_JOB')
  })

  it('has no time limit unless one is given', async () => {
    const { run, start, printed } = await openJobs()
    const endTime = holdTimers()
    const id = await start('echo begun; sleep 300', { timeout_ms: 300 })
    await printed(id, 'begun')
    endTime()
    const { result, text, code } = await run('job', { action: 'wait', id })
    expect(code).toBe('TIMED_OUT')
    expect(text).toBe('begun\n[timed out after 0.3 s]')
    expect(result.meta).toMatchObject({ timedOut: true, signal: 'SIGTERM' })
  })

  it('needs a session that the job can belong to', async () => {
    const { run } = await openJobs()
    const { code, text } = await run('bash', { command: 'sleep 300', background: true, cwd: '/' }, { agent: undefined })
    expect([code, text]).toEqual(['INVALID_ARGS', expect.stringContaining('needs a session')])
  })

  it('fails as in the foreground if it cannot start, and leaves no job behind', async () => {
    const { run, ctx } = await openJobs()
    expect((await run('bash', { command: 'true', background: true, cwd: 'gone' })).code).toBe('MISSING_CWD')
    expect(ctx.jobs.list('bench')).toEqual([])
  })

  it('refuses one more than 32 that run, and drops the one that ended first when 32 are known', async () => {
    const { run, start } = await openJobs()
    const first = await start('true')
    await run('job', { action: 'wait', id: first })
    const others = await Promise.all(Array.from({ length: 31 }, () => start('exec sleep 300')))
    const last = await start('exec sleep 300')
    expect((await run('job', { action: 'output', id: first })).code).toBe('UNKNOWN_JOB')
    expect((await run('bash', { command: 'true', background: true })).code).toBe('TOO_MANY_JOBS')
    expect((await run('job', { action: 'list' })).text.split('\n')).toHaveLength(32)
    await run('job', { action: 'kill', id: last })
    expect(await start('true')).toMatch(/^job-/)
    expect(new Set([...others, last]).size).toBe(32)
  })
})

describe('job', () => {
  it('shows what a job has printed so far, folded for the model and as it is on the card (B30)', async () => {
    const { run, start, printed } = await openJobs()
    const id = await start("printf '10%%\\r100%%\\n'; echo done; sleep 300")
    await printed(id, 'done')
    const { result, text, terminal } = await run('job', { action: 'output', id })
    expect(result.isError).toBe(false)
    expect(text).toBe('100%\ndone\n[still running]')
    expect(terminal).toBe('10%\r100%\ndone\n[still running]\n')
    expect(result.meta).toMatchObject({ job: id, running: true })
  })

  it('waits for the end, shows what comes meanwhile, and fails as the command did (B34)', async () => {
    const { run, start, ctx } = await openJobs()
    const id = await start('echo one; sleep 0.05; echo two >&2; exit 3')
    const args = { action: 'wait', id }
    const { result, text, terminal, code } = await run('job', args)
    expect([code, text, terminal]).toEqual(['COMMAND_FAILED', 'one\ntwo\n[exit code 3]', 'one\ntwo\n'])
    const view = { card: 'terminal', title: expect.stringMatching(`^Wait for ${id}: echo one`), exitCode: 3 }
    expect(ctx.tools.presentResult('job', args, result)).toEqual(view)
    // As from the log.
    expect(ctx.tools.presentResult('job', args, JSON.parse(JSON.stringify(result)))).toEqual(view)
  })

  it('gives the output of a job that has ended, as often as it is asked', async () => {
    const { run, start } = await openJobs()
    const id = await start('echo over')
    expect((await run('job', { action: 'wait', id })).text).toBe('over\n')
    const again = await run('job', { action: 'output', id })
    expect([again.text, again.result.meta]).toEqual(['over\n', expect.objectContaining({ exitCode: 0 })])
  })

  it('waits no longer than it is told, and the job goes on', async () => {
    const { run, start } = await openJobs()
    const id = await start('sleep 300')
    const { result, text } = await run('job', { action: 'wait', id, timeout_ms: 20 })
    expect(result.isError).toBe(false)
    expect(text).toMatch(/^\[still running after a wait of .*\]$/)
    expect((await run('job', { action: 'list' })).text).toContain(`${id}  running`)
  })

  it('a call that is stopped ends the wait only', async () => {
    const { run, start, printed } = await openJobs()
    const id = await start('echo here; sleep 300')
    await printed(id, 'here')
    const stop = new AbortController()
    const waiting = run(
      'job',
      { action: 'wait', id },
      { signal: stop.signal, onStart: () => setImmediate(() => stop.abort()) },
    )
    const { code, text } = await waiting
    expect(code).toBe('ABORTED')
    expect(text).toBe('here\n[no longer waited for; the job goes on]')
    expect((await run('job', { action: 'list' })).text).toContain(`${id}  running`)
  })

  it('kills a job with what it has started (B25)', async () => {
    const { run, start, printed } = await openJobs()
    const id = await start('sleep 300 & echo "child $!."; wait')
    await printed(id, '.')
    const pid = Number(/child (\d+)/.exec((await run('job', { action: 'output', id })).text)?.[1])
    const { text, result } = await run('job', { action: 'kill', id })
    expect([result.isError, text]).toEqual([false, `${id} was killed: ended by SIGTERM.`])
    expect(isRunning(pid)).toBe(false)
    expect((await run('job', { action: 'kill', id })).text).toBe(`${id} had ended already: ended by SIGTERM.`)
    expect((await run('job', { action: 'output', id })).text).toMatch(/\[ended by SIGTERM\]\n\[killed\]$/)
    expect((await run('job', { action: 'list' })).text).toContain(`${id}  killed after`)
  })

  it('keeps head and tail of an endless output in bounded memory (B33)', async () => {
    const { run, start } = await openJobs()
    const id = await start('echo first; head -c 3000000 /dev/zero | tr "\\0" x; echo; echo last')
    const { text, result, terminal } = await run('job', { action: 'wait', id })
    expect(result.meta).toMatchObject({ outputBytes: 3_000_012 })
    expect(text).toMatch(/^first\n.*\n\[\d+ bytes left out\]\n.*\nlast\n$/s)
    expect(Buffer.byteLength(text)).toBeLessThan(65 * 1024)
    expect(terminal.endsWith('last\n')).toBe(true)
    const again = await run('job', { action: 'output', id })
    expect(Buffer.byteLength(again.terminal)).toBeLessThan(65 * 1024)
    expect(again.terminal).toContain('bytes left out]')
  })

  it('puts characters together that come in pieces (B29)', async () => {
    const { run, start } = await openJobs()
    const script =
      "const b=Buffer.from('你');process.stdout.write(b.subarray(0,1));setTimeout(()=>process.stdout.write(b.subarray(1)),50)"
    const id = await start(`${JSON.stringify(process.execPath)} -e "${script}"`)
    expect((await run('job', { action: 'wait', id })).text).toBe('你')
  })

  it('knows only the jobs of its own session', async () => {
    const { run, start, agent } = await openJobs()
    const id = await start('sleep 300')
    const other = { agent: { ...agent, sessionId: 'other' } }
    expect((await run('job', { action: 'kill', id }, other)).code).toBe('UNKNOWN_JOB')
    expect((await run('job', { action: 'list' }, other)).text).toBe('This session has no jobs.')
    expect((await run('job', { action: 'output', id: 'job-none' })).text).toContain(`It has ${id}.`)
  })

  it.each([
    [{ action: 'output' }, /id: expected/],
    [{ action: 'wait', id: '' }, /id: expected/],
    [{ action: 'wait', id: 'job-0000', timeout_ms: 0 }, /timeout_ms: expected/],
    [{ action: 'stop', id: 'job-0000' }, /action/],
  ])('refuses %j before anything happens', async (args, words) => {
    const { run } = await openJobs()
    const { code, text } = await run('job', args)
    expect([code, text]).toEqual(['INVALID_ARGS', expect.stringMatching(words)])
  })

  it('has terminal cards for what a job printed, generic ones else, and touches nothing', async () => {
    const { ctx, run } = await openJobs()
    const { tools } = ctx
    const id = 'job-1234'
    expect(tools.presentCall('job', { action: 'output', id })).toEqual({ card: 'terminal', title: `Output of ${id}` })
    expect(tools.presentCall('job', { action: 'wait', id })).toEqual({ card: 'terminal', title: `Wait for ${id}` })
    expect(tools.presentCall('job', { action: 'kill', id })).toEqual({ card: 'generic', title: `Kill ${id}` })
    const { result } = await run('job', { action: 'list' })
    expect(tools.presentResult('job', { action: 'list' }, result)).toEqual({
      card: 'generic',
      content: [{ type: 'text', text: '```\nThis session has no jobs.\n```' }],
    })
    for (const action of ['list', 'output', 'wait', 'kill']) expect(tools.effects('job', { action, id })).toEqual({})
    expect(['list', 'output', 'wait', 'kill'].map(action => tools.isConcurrencySafe('job', { action, id }))).toEqual([
      true,
      true,
      true,
      false,
    ])
  })
})
