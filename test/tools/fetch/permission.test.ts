import { describe, expect, it } from 'vitest'
import * as bash from '../../../src/tools/bash/index.js'
import * as fetchTool from '../../../src/tools/fetch/index.js'
import * as job from '../../../src/tools/job/index.js'
import { jobsPlugin, launcherPlugin } from '../../../src/workspace/index.js'
import { type GateOptions, openGate, rules } from '../../gates/permission/support.js'

async function open(options: GateOptions) {
  const bench = await openGate(options)
  for (const plugin of [launcherPlugin, jobsPlugin, bash, job]) await bench.ctx.plugin(plugin)
  await bench.ctx.plugin(fetchTool, { env: {} })
  return bench
}

describe('the permission gate', () => {
  it('asks about a fetch for each host, and always means that host in this project', async () => {
    const bench = await open({
      answer: ({ reason }) => (reason.includes('127.0.0.1') ? 'allow_always' : 'reject_once'),
    })
    const first = await bench.call('fetch', { url: 'http://127.0.0.1:9/a' })
    const again = await bench.call('fetch', { url: 'https://127.0.0.1/b' })
    const other = await bench.call('fetch', { url: 'https://other.example/' })
    // Let through by the gate, and refused by the tool itself, since it is no public address.
    expect([first.code, again.code, other.code]).toEqual(['ADDRESS_REFUSED', 'ADDRESS_REFUSED', 'REFUSED'])
    expect(bench.asked.map(({ reason }) => reason)).toEqual([
      'it fetches from 127.0.0.1',
      'it fetches from other.example',
    ])
    expect(bench.asked[0]?.always).toContain('127.0.0.1')
  })

  it('denies a host that the config denies, also to what the user types', async () => {
    const bench = await open({ mode: 'full-access', permissions: { hosts: rules({ deny: ['other.example'] }) } })
    const url = 'https://other.example/'
    expect((await bench.call('fetch', { url })).code).toBe('REFUSED')
    expect((await bench.call('fetch', { url }, { agent: { ...bench.agent, origin: 'user' } })).code).toBe('REFUSED')
    expect(bench.asked).toEqual([])
  })

  it('asks about a command in the background as about any, and about its job no more', async () => {
    const bench = await open({ answer: () => 'allow_once' })
    const { meta } = await bench.call('bash', { command: 'sleep 300', background: true })
    const { job: id } = meta as { job: string }
    expect(bench.asked).toHaveLength(1)
    for (const action of ['list', 'output', 'kill']) await bench.call('job', { action, id })
    await bench.call('job', { action: 'wait', id })
    expect(bench.asked).toHaveLength(1)
  })
})
