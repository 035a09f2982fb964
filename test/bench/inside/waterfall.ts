import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from 'cordis'
import { text } from '../../../src/cards/index.js'
import { defaultConfig } from '../../../src/config/index.js'
import { shippedGates } from '../../../src/gates/index.js'
import { SystemPrompt, ToolRegistry } from '../../../src/registry/index.js'
import { Files, jobsPlugin, launcherPlugin } from '../../../src/workspace/index.js'
import type { InsideWork } from './inside-work.js'
import { meanMicros } from './measure.js'

/** One call of a tool that does nothing and touches nothing, through the registry. */
export const waterfall: InsideWork = {
  name: 'waterfall',
  title: 'A call through the waterfall',
  budgets: [],
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'deckhand-waterfall-'))
    try {
      return {
        listeners0Us: await timeCalls(folder, 0, false),
        listeners5Us: await timeCalls(folder, 5, false),
        listeners20Us: await timeCalls(folder, 20, false),
        gatesUs: await timeCalls(folder, 0, true),
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function timeCalls(folder: string, listeners: number, gates: boolean): Promise<number> {
  const ctx = new Context()
  for (const plugin of [SystemPrompt, ToolRegistry, Files, launcherPlugin, jobsPlugin]) await ctx.plugin(plugin)
  if (gates)
    for (const gate of shippedGates({ config: defaultConfig(), stateDir: join(folder, 'state') }))
      await ctx.plugin(gate)
  for (let n = 0; n < listeners; n++) ctx.on('tools/execute', (_exec, next) => next())
  ctx.tools.register({
    name: 'nothing',
    description: 'Does nothing.',
    parameters: { type: 'object', properties: {} },
    effects: () => ({}),
    execute: async () => [text('done')],
  })
  const agent = { sessionId: 's', cwd: folder, roots: [folder], origin: 'model' } as const
  let calls = 0
  const micros = await meanMicros(2000, async () => {
    const { isError } = await ctx.tools.execute({ callId: `c${++calls}`, name: 'nothing', arguments: {}, agent })
    if (isError) throw new Error('the call failed')
  })
  await ctx.fiber.dispose()
  return micros
}
