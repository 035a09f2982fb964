import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FailureNotes } from '../../src/mcp/failure-notes.js'
import { ToldOnce } from '../../src/mcp/told-once.js'

describe('servers that do not run', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function open() {
    const lines: string[] = []
    return { lines, notes: new FailureNotes(line => lines.push(line)) }
  }

  it('are told in one line when no start is under way any more', () => {
    const { lines, notes } = open()
    const ends = Array.from({ length: 64 }, () => notes.begin())
    for (const [index, end] of ends.entries()) {
      notes.add({ server: `s${index}`, reason: `it ended with exit code ${index}` })
      if (index < 63) end()
    }
    expect(lines).toEqual([])
    ends.at(-1)?.()
    expect(lines).toEqual([
      '64 MCP servers do not run: s0 (it ended with exit code 0), s1 (it ended with exit code 1), s2 (it ended with exit code 2) and 61 more. They are tried again in the background; the log has details.',
    ])
  })

  it('wait two seconds for one that starts slowly, and one that was given up meanwhile is told as that', () => {
    const { lines, notes } = open()
    notes.begin()
    for (const server of ['a', 'b', 'c']) notes.add({ server, reason: 'it hangs' })
    notes.add({ server: 'b', reason: 'it hangs', givenUpAfter: 6 })
    vi.advanceTimersByTime(2000)
    expect(lines).toEqual([
      '2 MCP servers do not run: a (it hangs), c (it hangs). They are tried again in the background; the log has details.',
      'MCP server b was given up after 6 tries: it hangs. /reload tries again.',
    ])
    vi.advanceTimersByTime(10_000)
    expect(lines).toHaveLength(2)
  })

  it('are told at once where nothing starts, and not after the end of their session', () => {
    const { lines, notes } = open()
    notes.add({ server: 'a', reason: 'it ended' })
    expect(lines).toHaveLength(1)
    const end = notes.begin()
    notes.add({ server: 'b', reason: 'it ended' })
    notes.close()
    end()
    vi.advanceTimersByTime(10_000)
    expect(lines).toHaveLength(1)
  })
})

it('a line is told once of a server, by whoever shows it first', () => {
  const told = new ToldOnce()
  const [first, second] = [told.line('a', 'left out'), told.line('a', 'left out')]
  expect([second(), first(), told.line('a', 'left out')()]).toEqual(['left out', undefined, undefined])
  expect([told.line('b', 'left out')(), told.line('a', 'more left out')()]).toEqual(['left out', 'more left out'])
})
