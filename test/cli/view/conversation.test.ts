import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { ViewEntry } from '../../../src/cli/view/entry.js'
import { converse, entryOf, makeDirectory, pageOf, readPage, updateLine } from './support.js'

const start = (id: string, more = {}) =>
  updateLine({ sessionUpdate: 'tool_call', toolCallId: id, title: `Call ${id}`, status: 'pending', ...more })
const end = (id: string, more = {}) =>
  updateLine({ sessionUpdate: 'tool_call_update', toolCallId: id, status: 'completed', ...more })

async function entriesOf(lines: Iterable<string | undefined>): Promise<ViewEntry[]> {
  const entries: ViewEntry[] = []
  await converse(lines, async entry => void entries.push(entry))
  return entries
}

describe('a conversation', () => {
  it('joins chunks that follow each other, and those of one messageId wherever they come', async () => {
    const chunk = (text: string, more = {}) =>
      updateLine({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, ...more })
    const lines = [
      chunk('a'),
      chunk('b'),
      start('c'),
      chunk('d'),
      chunk('e', { messageId: 'm' }),
      start('f'),
      chunk('g', { messageId: 'm' }),
    ]
    const texts = (await entriesOf(lines)).flatMap(({ body }) => (body.type === 'message' ? [body.text] : []))
    expect(texts).toEqual(['ab', 'd', 'eg'])
  })

  it('keeps the first messages of a card and those with findings, and counts the rest', async () => {
    const progress = (index: number) =>
      updateLine({
        sessionUpdate: 'tool_call_update',
        toolCallId: 'c',
        status: 'in_progress',
        content: [{ type: 'content', content: { type: 'text', text: `${index}` } }],
      })
    const bad = updateLine({ sessionUpdate: 'tool_call_update', toolCallId: 'c', title: 'x' })
    const lines = [start('c'), ...Array.from({ length: 100 }, (_, index) => progress(index)), bad, end('c')]
    const [entry] = await entriesOf(lines)
    expect(entry?.frames.count).toBe(103)
    expect(entry?.frames.frames.length).toBe(25)
    expect(entry?.frames.frames.at(-1)).toMatchObject({ line: 102, findings: [{ rule: 5 }] })
    expect(entry?.frames.leftOut.count).toBe(78)
  })

  it('writes the oldest entries when there are too many, and shows what comes for them later as their continuation', async () => {
    const ids = Array.from({ length: 4_000 }, (_, index) => `c${index}`)
    const directory = await makeDirectory()
    const page = await pageOf(
      [...ids.flatMap(id => [start(id), ...(id === 'c0' ? [] : [end(id)])]), end('c0')],
      directory,
    )
    const late = entryOf(page, 'call-4001')
    expect(readPage(late).text).toMatch(/Call c0\s+completed/)
    expect(late).toContain('<a href="#call-1">a call above</a>')
    expect(readPage(page.slice(0, page.indexOf('<main'))).text).toContain('Calls40004000 completed')
  })

  it('of more than a page can hold leaves out messages, content and entries, and says so', async () => {
    const content = [{ type: 'content', content: { type: 'text', text: 'a word '.repeat(200) } }]
    const ids = Array.from({ length: 60 }, (_, index) => `c${index}`)
    const lines = ids.flatMap(id => [start(id), end(id, { content })])
    const limits = { framesBytes: 50_000, contentBytes: 80_000, threadBytes: 90_000 }
    const page = await pageOf(lines, await makeDirectory(), limits)
    const thread = page.slice(page.indexOf('<main'))
    expect(thread.length).toBeLessThan(100_000)
    expect(entryOf(page, 'call-1')).toContain('lines 1–2</summary>')
    expect(thread).toMatch(
      /a word a word[^<]*<\/p>\s*<\/div>[\s\S]{0,200}2 messages, [^<]*: not shown, this page is large/,
    )
    expect(thread).toMatch(/other: Call c\d+ \(completed\): content not shown, this page is large/)
    expect(readPage(thread).text).toMatch(/\[\d+ more entries: left out, this page is large\]/)
    expect(readPage(page.slice(0, page.indexOf('<main'))).text).toContain('60 completed')
  })

  it('of a load shows the thread anew', async () => {
    const load = JSON.stringify({
      dir: 'in',
      msg: { id: 9, method: 'session/load', params: { sessionId: 's1', cwd: '/w' } },
    })
    const entries = await entriesOf([start('c'), end('c'), load, start('c'), end('c')])
    expect(entries.map(({ anchor }) => anchor)).toEqual(['call-1', 'protocol-1', 'call-2'])
    expect(entries.some(({ continues }) => continues !== undefined)).toBe(false)
  })

  it('of two sessions has a heading where the other one begins', async () => {
    const other = updateLine({ sessionUpdate: 'current_mode_update', currentModeId: 'ask' }).replace('"s1"', '"s2"')
    const directory = await makeDirectory()
    await pageOf([start('c'), end('c'), other], directory)
    const page = await readFile(`${directory}/page.html`, 'utf8')
    expect(page.indexOf('Session s1')).toBeLessThan(page.indexOf('Session s2'))
    expect(page).toContain('2 sessions')
  })
})
