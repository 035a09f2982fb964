import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HarnessError } from '../../../src/cards/index.js'
import type { ToolExecution } from '../../../src/registry/index.js'
import { holdTimers } from '../../support/hold-timers.js'
import { isRunning, until } from '../../support/processes.js'
import { type Bash, programs, type Run, startBash } from './bash-support.js'

let bash: Bash

beforeEach(async () => {
  bash = await startBash()
})

afterEach(async () => {
  await bash.close()
})

/** Starts a command that prints process ids, and aborts it once they are there. */
async function cancel(command: string, reason?: unknown): Promise<Run & { pids: number[] }> {
  const controller = new AbortController()
  let output = ''
  const run = bash.run(
    { command },
    {
      signal: controller.signal,
      onProgress: progress => {
        if ('output' in progress) output += Buffer.from(progress.output)
      },
    },
  )
  await until(() => output.includes('\n'))
  const pids = output.match(/\d+/g)!.map(Number)
  controller.abort(reason)
  return { ...(await run), terminal: output, pids }
}

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1)

describe('a timeout', () => {
  it('ends the whole group and keeps the output (B25)', async () => {
    const command = "bash -c 'sleep 300 & echo $$ $!; printf partial; sleep 300'"
    const endTime = holdTimers()
    let terminal = ''
    const onProgress: ToolExecution['onProgress'] = progress => {
      if ('output' in progress) terminal += Buffer.from(progress.output)
    }
    const run = bash.run({ command, timeout_ms: 300 }, { onProgress })
    await until(() => terminal.includes('partial'))
    endTime()
    const { result, text } = await run
    const pids = text.match(/\d+/g)!.slice(0, 2).map(Number)
    expect(pids.some(isRunning)).toBe(false)
    expect(result).toMatchObject({ isError: true, error: { code: 'TIMED_OUT' }, meta: { timedOut: true } })
    expect(text).toMatch(
      /partial\n\[timed out after 0\.3 s; a longer timeout_ms, at most 1800000, gives it more time\]$/,
    )
    expect(terminal).toBe(`${text}\n`)
  })

  it('ends a command that floods (B33)', async () => {
    const { result, text } = await bash.run({ command: 'yes', timeout_ms: 200 })
    expect(result).toMatchObject({ isError: true, error: { code: 'TIMED_OUT' } })
    expect(lastLine(text)).toMatch(/^\[timed out/)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64 * 1024)
  })

  it('is the one of the call for what the user typed too, if one is given', async () => {
    const { result } = await bash.run(
      { command: 'sleep 300', timeout_ms: 100 },
      { agent: { ...bash.agent, origin: 'user' } },
    )
    expect(result.error?.code).toBe('TIMED_OUT')
  })
})

describe('a cancel', () => {
  it('ends the whole group and keeps the output (B25)', async () => {
    const { result, text, terminal, pids } = await cancel('sleep 300 & echo $$ $!; sleep 300')
    expect(pids.some(isRunning)).toBe(false)
    expect(result).toMatchObject({ isError: true, error: { code: 'ABORTED' }, meta: { cancelled: true } })
    expect(text).toBe(`${pids.join(' ')}\n[cancelled]`)
    expect(terminal).toBe(`${text}\n`)
  })

  it('is not answered while a process that closed its output still ends (B25)', async () => {
    const quiet = 'exec >/dev/null 2>&1; trap "" TERM; while :; do sleep 0.01; done'
    const { pids } = await cancel(`sh -c '${quiet}' & echo $!; wait`)
    expect(pids.some(isRunning)).toBe(false)
  })

  it('ends processes that ignore SIGTERM within the grace of a call (B25)', async () => {
    const { result, text, pids } = await cancel(`sh ${programs}/trap-sigterm.sh`)
    expect(pids.some(isRunning)).toBe(false)
    expect(result).toMatchObject({ error: { code: 'ABORTED' }, meta: { signal: 'SIGKILL' } })
    expect(lastLine(text)).toBe('[cancelled]')
  })

  it('carries the reason of a gate that stopped the call', async () => {
    const { result, text } = await cancel('echo 1; sleep 300', new HarnessError('TIMED_OUT', 'over its budget'))
    expect(result.error?.code).toBe('TIMED_OUT')
    expect(lastLine(text)).toBe('[over its budget]')
  })

  it('before the start runs nothing', async () => {
    const { result, started } = await bash.run({ command: 'touch made' }, { signal: AbortSignal.abort() })
    expect(result.error?.code).toBe('ABORTED_BEFORE_DISPATCH')
    expect(started).toBe(false)
  })

  it('leaves another session and a command that has ended alone', async () => {
    const other = { ...bash.agent, sessionId: 's2' }
    const { text } = await bash.run({ command: 'sleep 300 & echo $!' }, { agent: other })
    await cancel('echo 1; sleep 300')
    expect(isRunning(Number(text))).toBe(true)
  })
})
