import { describe, expect, it } from 'vitest'
import type { ModelPart } from '../../../src/agent/model/provider/index.js'
import type { ToolCallView } from '../../../src/cards/index.js'
import type { SessionEvent } from '../../../src/session/index.js'
import { rawTool } from '../../registry/support.js'
import { outline } from '../turn-support.js'
import { finish, openModelBench, says, startModelRegistry } from './support.js'

const view = (args: Record<string, unknown>): ToolCallView | undefined =>
  typeof args.path === 'string'
    ? { card: 'diff', title: `Edit ${args.path}${args.all ? ' everywhere' : ''}`, diffs: [] }
    : undefined

/** Deltas with a pause between them, so that each stands alone. */
function streamed(pieces: readonly string[], name = 'edit') {
  return async function* (): AsyncGenerator<ModelPart> {
    yield { type: 'call-start', id: 'm1', name }
    for (const text of pieces) {
      yield { type: 'call-delta', id: 'm1', text }
      await new Promise(setImmediate)
    }
    yield { type: 'call', id: 'm1', name, arguments: pieces.join('') }
    yield finish('tool-calls')
  }
}

async function run(pieces: readonly string[], name?: string): Promise<SessionEvent[]> {
  const ctx = await startModelRegistry()
  ctx.tools.register(rawTool('edit', { presentPartial: view, presentCall: view }))
  ctx.tools.register(rawTool('plain'))
  const bench = await openModelBench([streamed(pieces, name), [says('ok'), finish()]], { ctx })
  await bench.prompt('go')
  return bench.events.slice(2)
}

describe('the card of a call whose arguments stream', () => {
  it('appears when its presenter has a view, and again only when the view changes', async () => {
    const events = await run(['{"path": "/w/a', '.ts", ', '"old": "x", ', '"new": "', 'long', '", "all": true', '}'])
    expect(outline(events).slice(0, 4)).toEqual([
      'tool/start c1 edit',
      'tool/start c1 edit',
      'tool/call c1 edit',
      'tool/running c1',
    ])
    expect(events[0]).toMatchObject({ arguments: { path: '/w/a.ts' } })
    expect(events[1]).toMatchObject({ arguments: { path: '/w/a.ts', all: true } })
  })

  it('is not there early for a tool that says nothing of its call, nor for one that does not exist', async () => {
    for (const name of ['plain', 'nope']) {
      expect(outline(await run(['{"path": "a", ', '"b": 1}'], name))[0]).toBe(`tool/call c1 ${name}`)
    }
  })
})
