import { describe, expect, it, vi } from 'vitest'
import type { Config } from '../../src/config/index.js'
import type { ApprovalAnswer, Approver } from '../../src/registry/index.js'
import { type GateBench, type GateBenchOptions, gateNames, openGateBench } from './gate-bench.js'

const full = (config: Config) => {
  config.permissions.mode = 'full-access'
}
const hook = (command: string) => (config: Config) => {
  config.hooks = [{ event: 'before', command, timeoutMs: 30_000, required: false }]
}
const userWho = (ask: Approver['ask']): Approver => ({ ask, note: () => {} })
const answering = (answer: ApprovalAnswer) => userWho(async () => answer)

/** What each gate needs to let a call through, to refuse it, and to wait before it. */
const scenes: Record<string, { through?: GateBenchOptions; veto?: GateBenchOptions; wait?: GateBenchOptions }> = {
  hooks: {
    through: { config: hook('exit 0') },
    veto: { config: hook('echo not now >&2; exit 2') },
    wait: { config: hook('sleep 30') },
  },
  permission: {
    through: { config: full },
    veto: { approver: answering('reject_once') },
    wait: { approver: userWho(() => new Promise(() => {})) },
  },
}
const unix = process.platform !== 'win32'
const names = gateNames().filter(name => unix || name !== 'hooks')
const vetoing = names.filter(name => scenes[name]?.veto)
const waiting = names.filter(name => scenes[name]?.wait)

const bodyStarted = (bench: GateBench) => vi.waitUntil(() => bench.bodies() > 0, { interval: 5, timeout: 10_000 })
/** Long enough for a gate to come to its wait; it is the same if it has not. */
const aWhile = () => new Promise(resolve => setTimeout(resolve, 60))

it('the gates stand in their order, outermost first', () => {
  expect(gateNames()).toEqual(['hooks', 'permission', 'timeout', 'sandbox', 'checkpoints', 'file-change'])
})

describe.each(names)('the gate %s', name => {
  const through = scenes[name]?.through ?? {}

  it.each([{}, { runs: true }])('lets a call through and leaves its result as it was: %j', async args => {
    const bench = await openGateBench(name, through)
    const { result, statuses, stopReason } = await bench.run(args)
    expect(result).toMatchObject({ isError: false, content: [{ type: 'text', text: 'done' }], meta: { fact: 1 } })
    expect(statuses).toEqual(['pending', 'in_progress', 'completed'])
    expect(stopReason).toBe('end_turn')
    expect(bench.bodies()).toBe(1)
  })

  it('leaves the failure of a tool as it was', async () => {
    const { result, statuses } = await (await openGateBench(name, through)).run({ fails: true })
    expect(result).toMatchObject({ isError: true, error: { code: 'TOOL_FAILED' } })
    expect(statuses).toEqual(['pending', 'in_progress', 'failed'])
  })

  it('an abort while the body runs ends the call once', async () => {
    const bench = await openGateBench(name, through)
    const stop = new AbortController()
    const run = bench.run({ waits: true, runs: true }, stop.signal)
    await bodyStarted(bench)
    stop.abort()
    const { result, stopReason, statuses } = await run
    expect(result.error?.code).toBe('ABORTED')
    expect(stopReason).toBe('cancelled')
    expect(statuses).toEqual(['pending', 'in_progress', 'failed'])
  })

  it('disposed while a body runs, the body goes on to its own result', async () => {
    const bench = await openGateBench(name, through)
    const run = bench.run({ waits: true, runs: true })
    await bodyStarted(bench)
    const gone = bench.gate.dispose()
    bench.letGo()
    const { result, statuses } = await run
    await gone
    expect(result.isError).toBe(false)
    expect(statuses).toEqual(['pending', 'in_progress', 'completed'])
  })

  it('once disposed it decides nothing any more', async () => {
    const bench = await openGateBench(name, scenes[name]?.veto ?? through)
    await bench.gate.dispose()
    expect((await bench.run()).result.isError).toBe(false)
  })
})

describe.each(vetoing)('the refusal of the gate %s', name => {
  it('closes the card, runs no body, lets the turn go on, and says why', async () => {
    const bench = await openGateBench(name, scenes[name]?.veto)
    const { result, statuses, stopReason } = await bench.run()
    expect(result).toMatchObject({ isError: true, error: { code: 'REFUSED' } })
    expect(JSON.stringify(result.content).length).toBeGreaterThan(40)
    expect(statuses).toEqual(['pending', 'failed'])
    expect(stopReason).toBe('end_turn')
    expect(bench.bodies()).toBe(0)
  })

  it('stands, whatever a listener around it does: the body is not reached by going on twice (P1)', async () => {
    const bench = await openGateBench(name, scenes[name]?.veto)
    bench.ctx.on(
      'tools/execute',
      async (_exec, next) => {
        await next()
        return next()
      },
      { prepend: true },
    )
    const { result } = await bench.run()
    expect(result.isError).toBe(true)
    expect(bench.bodies()).toBe(0)
  })
})

describe.each(waiting)('while the gate %s waits', name => {
  it('an abort ends the call at once; it is no refusal, and the body does not run (B59)', async () => {
    const bench = await openGateBench(name, scenes[name]?.wait)
    const stop = new AbortController()
    const run = bench.run({}, stop.signal)
    await aWhile()
    stop.abort()
    const { result, statuses, stopReason } = await run
    expect(result.error?.code).toBe('ABORTED_BEFORE_DISPATCH')
    expect(statuses).toEqual(['pending', 'failed'])
    expect(stopReason).toBe('cancelled')
    expect(bench.bodies()).toBe(0)
  })

  it('its end with the host settles the call, and the body does not run', async () => {
    const bench = await openGateBench(name, scenes[name]?.wait)
    const run = bench.run()
    await aWhile()
    await bench.ctx.fiber.dispose()
    const { result, statuses } = await run
    expect(result.isError).toBe(true)
    expect(statuses).toEqual(['pending', 'failed'])
    expect(bench.bodies()).toBe(0)
  })
})
