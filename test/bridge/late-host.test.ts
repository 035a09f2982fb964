import { expect, it } from 'vitest'
import { type AgentHost, LateHost } from '../../src/bridge/connect/late-host.js'
import type { SessionTable } from '../../src/bridge/sessions/session-table.js'

const sessions = {} as SessionTable

it('is made once, by whoever asks first, and gives its sessions when the plugins stand', async () => {
  const steps: string[] = []
  let stand = () => {}
  const ready = new Promise<void>(resolve => {
    stand = resolve
  })
  const host = new LateHost(
    async () => {
      steps.push('made')
      return { sessions, ready: () => ready, close: async () => {} }
    },
    () => steps.push('failed'),
  )
  expect(host.sessions).toBeUndefined()
  host.start()
  const opened = Promise.all([host.open(), host.open()]).then(tables => {
    steps.push('opened')
    return tables
  })
  await new Promise(setImmediate)
  expect(steps).toEqual(['made'])
  expect(host.sessions).toBe(sessions)
  stand()
  expect(await opened).toEqual([sessions, sessions])
})

it('that cannot be made is reported, and everybody who asks is told', async () => {
  const reported: unknown[] = []
  const fault = new Error('no such chunk')
  const host = new LateHost(
    () => Promise.reject(fault),
    error => reported.push(error),
  )
  host.start()
  await expect(host.open()).rejects.toBe(fault)
  expect(reported).toEqual([fault])
  await host.close()
})

it('that is still being made when the connection ends is closed as soon as it is there, and not waited for', async () => {
  const closed: string[] = []
  let made: (host: AgentHost) => void = () => {}
  const host = new LateHost(
    () =>
      new Promise(resolve => {
        made = resolve
      }),
    () => closed.push('reported'),
  )
  host.start()
  await host.close()
  expect(closed).toEqual([])
  made({ sessions, ready: async () => {}, close: async () => void closed.push('closed') })
  await new Promise(setImmediate)
  expect(closed).toEqual(['closed'])
})
