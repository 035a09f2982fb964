import { format } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { createHost } from '../../src/bridge/host-plugins.js'
import { makeDirectory } from '../support/directory.js'

it('a plugin’s log lines come with its name before them, filled in, also where the name has a sign of a format', async () => {
  const lines: string[] = []
  const host = createHost([], (level, ...parts) => lines.push(`${level} ${format(...parts)}`), {
    stateDir: makeDirectory('state'),
  })
  onTestFinished(() => host.close())
  await host.ready
  host.ctx.logger('mcp 100%s').warn('%s: %d tools', 'one', 2)
  host.ctx.logger('mcp').error({ code: 3 })
  expect(lines).toEqual(['warn [mcp 100%s] one: 2 tools', 'error [mcp] { code: 3 }'])
})
