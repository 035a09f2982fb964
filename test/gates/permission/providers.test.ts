import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ProvidedBy, ToolDefinition } from '../../../src/registry/index.js'
import { rawTool } from '../../registry/support.js'
import { type GateBench, openGate, rules } from './support.js'

const GITHUB: ProvidedBy = { label: 'the MCP server github', key: 'mcp 1', claim: 'that it only reads' }

/** One name, provided by this one from now on. */
function provide(bench: GateBench, providedBy: ProvidedBy | undefined, parts: Partial<ToolDefinition> = {}) {
  return bench.ctx.tools.register(rawTool('mcp__github__list', { ...parts, ...(providedBy && { providedBy }) }))
}

const call = (bench: GateBench, sessionId = 'bench') =>
  bench.call('mcp__github__list', {}, { agent: { ...bench.agent, sessionId } })

describe('a tool that a server provides', () => {
  it('is asked about by tool and server, whatever the server says of it', async () => {
    const bench = await openGate({ answer: () => 'allow_once' })
    provide(bench, GITHUB)
    await call(bench)
    await call(bench)
    expect(bench.asked).toHaveLength(2)
    expect(bench.asked[0]).toMatchObject({
      reason: 'the tool mcp__github__list of the MCP server github may do anything, and it says that it only reads',
      always: 'Always allow the tool mcp__github__list of the MCP server github in this project',
    })
  })

  it.each<[string, ProvidedBy | undefined]>([
    ['another server of the same name', { ...GITHUB, key: 'mcp 2' }],
    ['another server', { label: 'the MCP server gitlab', key: 'mcp 3' }],
    ['a plugin', undefined],
  ])('that is always allowed does not make the same name free for %s', async (_who, other) => {
    const bench = await openGate({ answer: () => 'allow_always' })
    const remove = provide(bench, GITHUB)
    await call(bench)
    await call(bench, 'later')
    expect(bench.asked).toHaveLength(1)
    remove()
    provide(bench, other)
    await call(bench, 'later')
    expect(bench.asked).toHaveLength(2)
    expect(await bench.permissions.remembered.list()).toHaveLength(2)
  })

  it('does not get what was always allowed of a plugin, nor of a tool from before providers were remembered', async () => {
    const bench = await openGate({ answer: () => 'allow_always' })
    const remove = provide(bench, undefined)
    await call(bench)
    remove()
    provide(bench, GITHUB)
    await call(bench)
    expect(bench.asked).toHaveLength(2)
    const file = JSON.parse(await readFile(join(bench.stateDir, 'permissions.json'), 'utf8'))
    expect(file.answers.map(({ answer }: { answer: unknown }) => answer)).toEqual([
      { type: 'tool', name: 'mcp__github__list' },
      { type: 'tool', name: 'mcp__github__list', provider: { label: GITHUB.label, key: GITHUB.key } },
    ])
  })

  it('is denied in plan mode, unless the user trusts its server and it says that it only reads', async () => {
    const bench = await openGate({ mode: 'plan' })
    const remove = provide(bench, GITHUB)
    expect((await call(bench)).code).toBe('REFUSED')
    remove()
    provide(bench, GITHUB, { effects: () => ({}) })
    expect((await call(bench)).isError).toBe(false)
    expect(bench.asked).toEqual([])
  })

  it('is named by the rules of the config: by itself, by its server, or by where it comes from', async () => {
    for (const pattern of ['mcp__github__list', 'mcp__github__*', 'mcp__*']) {
      const bench = await openGate({ permissions: { tools: rules({ deny: [pattern] }) } })
      provide(bench, GITHUB)
      expect((await call(bench)).code).toBe('REFUSED')
      expect(bench.asked).toEqual([])
    }
  })
})
