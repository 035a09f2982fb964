import { setImmediate as nextTask } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Driver } from '../../src/agent/index.js'
import { createHost } from '../../src/bridge/host-plugins.js'
import { toClientProfile } from '../../src/bridge/render/profile.js'
import { WarmUp } from '../../src/bridge/warm-up.js'
import { makeDirectory } from '../support/directory.js'

/** A warm-up that has just begun, and what it has come to: the end of the rehearsal, and the driver's own part. */
async function begin(warm: Driver['warm'] = async () => {}) {
  const host = createHost([], () => {}, { stateDir: makeDirectory('state') })
  await host.ready
  const done: string[] = []
  let begun = 0
  let tuned = 0
  const driver: Driver = {
    // biome-ignore lint/correctness/useYield: nothing is prompted.
    async *run() {
      return 'end_turn'
    },
    warm: async signal => {
      await warm(signal)
      done.push('driver')
    },
  }
  const warmUp = new WarmUp({
    ctx: host.ctx,
    ready: () => {
      begun += 1
      return host.ready
    },
    profile: () => toClientProfile(undefined),
    driver: () => driver,
    models: {
      offer: async () => {
        done.push('rehearsal')
        return undefined
      },
    },
    onBegin: () => {
      tuned += 1
    },
    log: (_level, ...parts) => done.push(parts.join(' ')),
  })
  onTestFinished(async () => {
    await warmUp.close()
    await host.close()
  })
  return { ctx: host.ctx, warmUp, done, begun: () => begun, tuned: () => tuned }
}

it('rehearses after the start, and warms the driver once a session is open', async () => {
  const { warmUp, done } = await begin()
  await expect.poll(() => done).toEqual(['rehearsal'])
  warmUp.sessionOpened([])
  warmUp.sessionOpened([])
  await expect.poll(() => done).toEqual(['rehearsal', 'driver'])
})

it('makes way for a session that is loaded, and rehearses once that is open', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { warmUp, done, begun } = await begin()
  warmUp.sessionLoading()
  vi.advanceTimersByTime(1000)
  expect(begun()).toBe(0)
  vi.useRealTimers()
  warmUp.sessionOpened([])
  await expect.poll(() => done).toEqual(['driver', 'rehearsal'])
})

it('goes on when one who gets ready for a first call fails at it', async () => {
  const { ctx, warmUp, done } = await begin(() => nextTask())
  ctx.on('session/idle', async () => {
    throw new Error('not today')
  })
  warmUp.sessionOpened([])
  await expect.poll(() => done).toContain('driver')
  expect(done).toContainEqual(expect.stringContaining('A listener of session/idle failed:'))
})

it('has ended when it is closed: what is being loaded cannot be stopped half way', async () => {
  let finish = () => {}
  const loading = vi.fn(() => new Promise<void>(resolve => (finish = resolve)))
  const { warmUp, done } = await begin(loading)
  warmUp.sessionOpened([])
  await expect.poll(() => loading.mock.calls.length).toBe(1)
  const closed = warmUp.close()
  finish()
  await closed
  expect(done).toContain('driver')
})

it('tells once when it begins: before the rehearsal, else before the first prompt', async () => {
  const rehearsed = await begin()
  expect(rehearsed.tuned()).toBe(0)
  await expect.poll(() => rehearsed.done).toEqual(['rehearsal'])
  rehearsed.warmUp.stop()
  expect(rehearsed.tuned()).toBe(1)
  const prompted = await begin()
  prompted.warmUp.sessionLoading()
  expect(prompted.tuned()).toBe(0)
  prompted.warmUp.stop()
  expect(prompted.tuned()).toBe(1)
})
