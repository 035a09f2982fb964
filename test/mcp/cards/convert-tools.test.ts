import { describe, expect, it } from 'vitest'
import { convertTools, toToolsLog, toToolsNote } from '../../../src/mcp/cards/index.js'

const good = (name: unknown) => ({ name, inputSchema: { type: 'object', properties: { a: { type: 'string' } } } })
const convert = (tools: unknown[], taken = new Set<string>(), signal?: AbortSignal) =>
  convertTools({ server: 's', trusted: false, tools, taken, call: async () => ({}), ...(signal && { signal }) })

describe('the tools of a server', () => {
  it('are kept, repaired or left out one by one, and told by name (B77)', async () => {
    const converted = await convert([
      good('fine'),
      { name: 'odd', inputSchema: { type: 'object', properties: { a: { $ref: '#/x' } } } },
      { name: 'text', inputSchema: { type: 'string' } },
      good(''),
      good(7),
      null,
      good('fine'),
      { ...good('evil\n\u202e'), inputSchema: [] },
    ])
    expect(converted.definitions.map(({ name }) => name)).toEqual(['mcp__s__fine', 'mcp__s__odd'])
    expect(toToolsNote('s', converted)).toBe(
      'MCP server s: tools left out: text (its input is a value of the type string, and a model can give an object only), ' +
        'a tool (it has no name), a tool (it has no name), a tool (it has no name), fine (the server lists it twice), ' +
        'evil⏎⟨U+202E⟩ (its input schema is none).',
    )
    expect(toToolsLog('s', converted)).toContain(
      'MCP server s: odd repaired: a: its reference leads nowhere, so it is open',
    )
    expect(toToolsLog('s', converted)).toHaveLength(7)
  })

  it('all of which can be used are told of by nobody', async () => {
    expect(toToolsNote('s', await convert([good('a')]))).toBeUndefined()
  })

  it('never replace another tool', async () => {
    const { definitions } = await convert([good('a')], new Set(['mcp__s__a']))
    expect(definitions[0]?.name).toMatch(/^mcp__s__a-[0-9a-f]{8}$/)
  })

  it('by the thousand let other work in between, and stop when they are not wanted any more', async () => {
    const abort = new AbortController()
    let turns = 0
    const tick = () => {
      turns++
      if (turns === 3) abort.abort()
      else if (turns < 3) setImmediate(tick)
    }
    setImmediate(tick)
    const tools = Array.from({ length: 5001 }, (_, n) => good(`t${n}`))
    const { definitions } = await convert(tools, new Set(), abort.signal)
    expect(turns).toBe(3)
    expect(definitions.length).toBeLessThan(5000)
    const all = await convert(tools)
    expect(all.definitions).toHaveLength(5000)
    expect(toToolsNote('s', all)).toContain('1 more tools (too many)')
  })
})
