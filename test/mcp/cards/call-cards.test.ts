import { describe, expect, it } from 'vitest'
import { isToolCallView } from '../../../src/cards/index.js'
import { presentMcp } from '../../../src/mcp/cards/index.js'
import { type ListedTool, toToolDefinition } from '../../../src/mcp/cards/to-tool-definition.js'

const schema = (properties: object, required: string[] = []) => ({ type: 'object', properties, required })

function define(tool: ListedTool, options: { server?: string; trusted?: boolean; call?: () => unknown } = {}) {
  const { server = 'github', trusted = false, call = () => ({ content: [] }) } = options
  const made = toToolDefinition({ server, trusted, tool, name: 'mcp__s__t', call: async () => call() })
  if ('leftOut' in made) throw new Error(made.leftOut)
  return made.definition
}

/** The call's card as the log has it: the server is not needed. */
function card(tool: ListedTool, args: Record<string, unknown>, options = {}) {
  const presentedBy = JSON.parse(JSON.stringify(define(tool, options).presentedBy))
  const presenters = presentMcp(presentedBy.facts)
  const view = presenters?.presentCall?.(args)
  expect(isToolCallView(view)).toBe(true)
  return view
}

describe('the card of a call of a server', () => {
  it('has the server, the tool and the argument that says most', () => {
    const tool = {
      name: 'search_issues',
      title: 'Search issues',
      inputSchema: schema({ page: { type: 'number' }, query: { type: 'string' } }),
    }
    expect(card(tool, { query: 'crash\non start', page: 2 })).toEqual({
      card: 'generic',
      title: 'github: Search issues crash⏎on start',
      kind: 'other',
      rawInput: { query: 'crash\non start', page: 2 },
    })
    expect(card({ name: 'ping', inputSchema: schema({}) }, {})).toMatchObject({ title: 'github: ping' })
  })

  it.each<[string, object, string | undefined]>([
    ['the required one', schema({ name: { type: 'string' }, body: { type: 'string' } }, ['body']), 'body'],
    ['a path before others', schema({ text: { type: 'string' }, path: { type: 'string' } }, ['text', 'path']), 'path'],
    ['a number if it must', schema({ issue: { type: 'integer' } }, ['issue']), 'issue'],
    ['none of what may be left out and says little', schema({ verbose: { type: 'boolean' } }), undefined],
  ])('takes %s as the argument of its title', (_what, inputSchema, expected) => {
    expect(define({ name: 't', inputSchema }).presentedBy?.facts).toEqual(
      expect.objectContaining(expected === undefined ? { title: 't' } : { argument: expected }),
    )
  })

  it('has the icon that the server says, which takes no question away', () => {
    const readOnly = { name: 'list', annotations: { readOnlyHint: true, openWorldHint: false, title: 'List' } }
    expect(card(readOnly, {})).toMatchObject({ kind: 'read', title: 'github: List' })
    expect(card({ name: 'get', annotations: { readOnlyHint: true, openWorldHint: true } }, {})).toMatchObject({
      kind: 'fetch',
    })
    expect(card({ name: 'rm', annotations: { destructiveHint: true } }, {})).toMatchObject({ kind: 'other' })
    const definition = define(readOnly)
    expect(definition.effects).toBeUndefined()
    expect(definition.isConcurrencySafe).toBeUndefined()
    expect(definition.providedBy).toMatchObject({ claim: 'that it only reads' })
  })

  it('of a server that the user trusts is free if it says that it only reads, and only then', () => {
    expect(define({ name: 'list', annotations: { readOnlyHint: true } }, { trusted: true }).effects?.({})).toEqual({})
    for (const annotations of [
      undefined,
      {},
      { destructiveHint: false },
      { readOnlyHint: 'true' },
      { readOnlyHint: false },
    ]) {
      expect(define({ name: 'list', annotations }, { trusted: true }).effects).toBeUndefined()
    }
  })

  it('of a server that the user trusts is asked about if what it says contradicts itself', () => {
    const inputSchema = schema({ line: { type: 'string' } })
    const annotations = { readOnlyHint: true }
    const destructive = { name: 'rm', annotations: { ...annotations, destructiveHint: true } }
    expect(define(destructive, { trusted: true }).effects).toBeUndefined()
    expect(define(destructive).providedBy).toMatchObject({ claim: 'that it may destroy something' })
    for (const own of [{ kind: 'edit' }, { kind: 'delete' }, { kind: 'move' }, { command: 'line' }]) {
      const tool = { name: 'x', inputSchema, annotations, _meta: { 'deckhand/card': own } }
      expect(define(tool, { trusted: true }).effects).toBeUndefined()
    }
    const reading = { name: 'x', inputSchema, annotations, _meta: { 'deckhand/card': { kind: 'search' } } }
    expect(define(reading, { trusted: true }).effects?.({})).toEqual({})
  })

  it('owns its card by _meta: title, kind, argument, paths', () => {
    const tool = {
      name: 'format',
      inputSchema: schema({ files: { type: 'array', items: { type: 'string' } }, style: { type: 'string' } }),
      _meta: { 'deckhand/card': { title: 'Format files', kind: 'edit', argument: 'style', paths: ['files', 'gone'] } },
    }
    expect(card(tool, { style: 'short', files: ['a.ts', 'file:///w/b.ts', 'https://x', 7] })).toMatchObject({
      title: 'github: Format files short',
      kind: 'edit',
      locations: [{ path: 'a.ts' }, { path: '/w/b.ts' }],
    })
  })

  it('is a terminal if _meta names the parameter of a command, and still says whose', () => {
    const tool = {
      name: 'run',
      title: 'Run',
      inputSchema: schema({ cmd: { type: 'string' }, dir: { type: 'string' } }),
      _meta: { 'deckhand/card': { command: 'cmd', cwd: 'dir' } },
    }
    expect(card(tool, { cmd: 'make all', dir: 'sub' })).toEqual({
      card: 'terminal',
      title: 'make all',
      description: 'github: Run',
      cwd: 'sub',
    })
    expect(card(tool, { cmd: ' ' })).toMatchObject({ card: 'generic' })
  })

  it.each<[string, ListedTool]>([
    ['no name it could be known by', { name: 'x', title: '', annotations: 7, _meta: 'x', description: 4 }],
    [
      'a title that would pass for ours',
      { name: 'x', title: 'bash: rm\u202e -rf\n/', _meta: { 'deckhand/card': { kind: 'sudo' } } },
    ],
    ['a megabyte of title', { name: 'x'.repeat(1_000_000), title: 'y'.repeat(1_000_000) }],
  ])('with %s is one short line that begins with the server', (_what, tool) => {
    const view = card(tool, {})
    expect(view?.title).toMatch(/^github: [^\n\u202e]+$/)
    expect(view?.title.length).toBeLessThan(200)
    expect(JSON.stringify(define(tool).presentedBy).length).toBeLessThan(2000)
  })
})

describe('a call of a server', () => {
  const tool = {
    name: 't',
    inputSchema: schema({ 'a[b]': { type: 'string' }, opt: { type: 'string' }, nul: { type: ['string', 'null'] } }, [
      'a[b]',
    ]),
  }

  it('gets the arguments by the names that the server has, without nulls that mean nothing', async () => {
    const sent: unknown[] = []
    const made = toToolDefinition({
      server: 's',
      trusted: false,
      tool,
      name: 'mcp__s__t',
      call: async args => {
        sent.push(args)
        return { content: [{ type: 'text', text: 'ok' }] }
      },
    })
    if ('leftOut' in made) throw new Error(made.leftOut)
    await made.definition.execute({ a_b_: 'x', opt: null, nul: null, more: null }, {} as never)
    expect(sent).toEqual([{ 'a[b]': 'x', nul: null, more: null }])
  })

  it('without a required argument is refused before anybody is asked, naming it', () => {
    expect(() => define(tool).validate?.({ 'a[b]': 'x' })).toThrow(
      /a_b_: expected a value, got nothing\n- given were: a\[b\]/,
    )
    expect(() => define(tool).validate?.({ a_b_: 7 })).not.toThrow()
  })

  it('that the server says has failed is an error with what it said', async () => {
    const definition = define(tool, {
      call: () => ({ isError: true, content: [{ type: 'text', text: 'no such issue' }] }),
    })
    await expect(definition.execute({}, {} as never)).rejects.toMatchObject({
      code: 'MCP_TOOL_FAILED',
      content: [{ type: 'text', text: 'no such issue' }],
    })
  })
})
