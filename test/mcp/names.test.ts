import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toToolName } from '../../src/mcp/names.js'

type Pair = [server: string, tool: string]

const none = new Set<string>()

describe('the name of a tool of a server', () => {
  it('is both names if they fit', () => {
    expect(toToolName('github', 'list_issues', none)).toBe('mcp__github__list_issues')
    expect(toToolName('my-server_2', 'a--b__c', none)).toBe('mcp__my-server_2__a--b__c')
  })

  it.each([
    ['a name that is too long', 'github', 'x'.repeat(80), /^mcp__github__x{42}-[0-9a-f]{8}$/],
    ['letters that providers refuse', 'github', 'größe/alle', /^mcp__github__gr__e_alle-[0-9a-f]{8}$/],
    ['a server with blanks', 'My Server', 'list', /^mcp__My-Server-[0-9a-f]{8}__list$/],
    ['a server with the mark between the two', 'a__b', 'c', /^mcp__a-b-[0-9a-f]{8}__c$/],
    ['a server without a letter', '数据库', 'query', /^mcp__--[0-9a-f]{8}__query$/],
    ['a name that looks as if it was changed', 'github', 'list-0123abcd', /^mcp__github__list-0123abcd-[0-9a-f]{8}$/],
  ])('is changed for %s, with a hash of what it was', (_what, server, tool, expected) => {
    expect(toToolName(server, tool, none)).toMatch(expected)
  })

  it.each<[Pair, Pair]>([
    [
      ['a', 'b__c'],
      ['a__b', 'c'],
    ],
    [
      ['a', '_b'],
      ['a_', 'b'],
    ],
    [
      ['a b', 'c'],
      ['a-b', 'c'],
    ],
    [
      ['a b', 'c'],
      ['a/b', 'c'],
    ],
    [
      ['s', 'x'.repeat(100)],
      ['s', `${'x'.repeat(99)}y`],
    ],
    [
      ['s'.repeat(100), 't'],
      [`${'s'.repeat(99)}u`, 't'],
    ],
    [
      ['s', '\ud800'],
      ['s', '\udc00'],
    ],
  ])('is another one for another pair: %j and %j', (one, other) => {
    expect(toToolName(...one, none)).not.toBe(toToolName(...other, none))
  })

  it('steps aside for a tool of no server, and never takes a name twice', () => {
    const second = toToolName('s', 't', new Set(['mcp__s__t']))
    expect(second).toMatch(/^mcp__s__t-[0-9a-f]{8}$/)
    expect(toToolName('s', 't', new Set(['mcp__s__t', second ?? '']))).toBeUndefined()
  })

  it('of any two pairs is taken by every provider, tells the pairs apart and needs no order', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[ab_-]{0,6}$/),
      fc.stringMatching(/^a{20,70}$/),
    )
    fc.assert(
      fc.property(part, part, part, part, (server, tool, otherServer, otherTool) => {
        const name = toToolName(server, tool, none) ?? ''
        expect(name).toMatch(/^mcp__[A-Za-z0-9_-]{1,59}$/)
        expect(toToolName(server, tool, new Set(['bash', 'mcp__other__tool']))).toBe(name)
        const isSame = server === otherServer && tool === otherTool
        expect(toToolName(otherServer, otherTool, none) === name).toBe(isSame)
      }),
      { numRuns: 2000 },
    )
  })
})
