import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { entryOf, linesOf, makeDirectory, pageOf, readPage, updateLine } from './support.js'

let page: string

beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'deckhand-view-'))
  page = await pageOf(await linesOf('view/every-kind.ndjson'), directory)
  return () => rm(directory, { recursive: true, force: true })
})

const shown = (anchor: string) => readPage(entryOf(page, anchor)).text

describe('the page of a transcript', () => {
  it('has the title and the counts at its top', () => {
    const top = readPage(page.slice(0, page.indexOf('<main'))).text.replace(/\s+/g, ' ')
    expect(top).toContain('Make the greeting test pass')
    expect(top).toContain('Messages42')
    expect(top).toContain('7 in, 35 out')
    expect(top).toContain('Calls5')
    expect(top).toContain('1 failed, 4 completed')
    expect(top).toContain('Findings0')
  })

  it('shows what the user typed as text, with its links and pictures', () => {
    const prompt = entryOf(page, 'user-1')
    expect(prompt).toContain('Make the greeting test pass.\nSee ')
    expect(prompt).toContain('file:///w/src/greet.js')
    expect(prompt).not.toContain('href="file:')
    expect(prompt).toMatch(/<img src="data:image\/png;base64,[\w+/]+=*" alt="image\/png, 3.8 KiB">/)
  })

  it('shows what the agent says as Markdown with highlighted code, and folds thoughts', () => {
    const message = entryOf(page, 'message-1')
    expect(message).toContain('<li>run it</li>')
    expect(message).toContain('<a href="https://example.org/greet" rel="noopener noreferrer nofollow">the file</a>')
    expect(message).toContain('<span class="hljs-keyword">const</span>')
    expect(entryOf(page, 'thought-1')).toMatch(/<details class="thinking"><summary>Thought<\/summary>.*<strong>comma/s)
  })

  it('shows a terminal with its colours, what was written last, and its exit', () => {
    const card = entryOf(page, 'call-1')
    expect(card).toContain('<span class="ansi-red-fg">greet: expected')
    expect(card).toContain('color:rgb(255,135,0)')
    const text = shown('call-1')
    expect(text).toContain('greet: expected "Hello, Ada!"\n1 passed, 1 failed')
    expect(text.split('Input')[0]).not.toContain('50 %')
    expect(text).toMatch(/execute\s+node test\.js\s+failed/)
    expect(text).toContain('exit 1')
  })

  it('shows a diff with the numbers of both sides, its counts, and highlighting', () => {
    const card = entryOf(page, 'call-3')
    const rows = [...card.matchAll(/<tr class="(\w+)"><td class="n">(\d*)<\/td><td class="n">(\d*)<\/td>/g)]
    expect(rows.map(([, change, oldLine, newLine]) => [change, oldLine, newLine])).toEqual([
      ['same', '11', '11'],
      ['removed', '12', ''],
      ['added', '', '12'],
      ['added', '', '13'],
      ['same', '13', '14'],
      ['removed', '39', ''],
      ['added', '', '40'],
    ])
    expect(card).toContain('<span class="hljs-keyword">function</span>')
    expect(shown('call-3')).toContain('/w/src/greet.js +2 −1')
    expect(shown('call-3')).toContain('/w/src/greet.js:12')
  })

  it('shows a question on its card, with the options and the answer', () => {
    expect(entryOf(page, 'call-3')).toContain(
      '<li class="chosen">✓ Always in src <span class="dim">allow always</span>',
    )
    expect(shown('call-3')).toContain('edit changes a file')
    expect(shown('question-1')).toMatch(/Shall I also change shout\?.*Answer \(yes, no\).*accept\nanswer: no/s)
  })

  it('shows every kind of content, and says of what it does not show', () => {
    const text = shown('call-4')
    for (const part of ['Greetings lack a comma.', '[binary, 12 bytes', '2.0 KiB', '[audio, audio/wav'])
      expect(text).toContain(part)
    expect(entryOf(page, 'call-4')).toMatch(/<table>[\s\S]*<em>open<\/em>/)
    expect(text).toMatch(/Input.*GREET-7.*Raw output.*"state": "open"/s)
  })

  it('shows the output of a terminal that the client ran', () => {
    expect(shown('call-5')).toMatch(/npm test.*completed.*2 passed\n.*exit 0/s)
  })

  it('shows the plan as it was last, and the state of the thread in lines', () => {
    expect(shown('plan-1')).toMatch(/✓ Find out why the test fails.*✓ Fix greet/s)
    const text = readPage(page).text
    for (const line of [
      'Mode: ask',
      'Title: Make the',
      'Usage: 1200 of 200000 tokens, 0.01 USD',
      'Nearly done: one more',
    ])
      expect(text).toContain(line)
    expect(text).toContain('Commands: /read /edit')
    expect(text).toContain('Turn ended: end_turn')
  })

  it('has beside each entry its messages with their lines and sizes', () => {
    const text = shown('call-3')
    expect(text).toContain('5 messages, 1.9 KiB, lines 21–25')
    expect(text).toContain('24: agent → client: session/update tool_call_update')
    expect(text).toContain('"sessionUpdate": "tool_call_update"')
    expect(entryOf(page, 'call-3')).not.toContain('<details class="frames" open>')
  })

  it('has an anchor for each entry and names its cards for readers that hear them', () => {
    const { elements } = readPage(page)
    const ids = elements.flatMap(({ attributes }) => attributes.id ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    const targets = elements.flatMap(({ name, attributes }) => (name === 'a' ? (attributes.href ?? '') : []))
    const local = targets.filter(target => target.startsWith('#')).map(target => target.slice(1))
    expect(local.length).toBeGreaterThan(15)
    expect(local.filter(target => !ids.includes(target))).toEqual([])
    const labels = elements.flatMap(({ attributes }) => attributes['aria-labelledby'] ?? [])
    expect(labels.length).toBe(5)
    expect(labels.filter(label => !ids.includes(label))).toEqual([])
  })
})

describe('a large diff on a page', () => {
  it('of whole files shows the lines around each change', async () => {
    const lines = Array.from({ length: 400 }, (_, index) => `const line${index} = ${index}`)
    const newText = lines.with(200, 'changed()').join('\n')
    const content = [{ type: 'diff', path: '/w/a.ts', oldText: lines.join('\n'), newText }]
    const call = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Edit', status: 'completed', content }
    const whole = await pageOf([updateLine(call)], await makeDirectory())
    const text = readPage(entryOf(whole, 'call-1').split('<details')[0] ?? '').text
    expect(text).toContain('196 unchanged lines')
    expect(text).toContain('195 unchanged lines')
    expect(text).toMatch(/201.*changed\(\)/s)
    expect(text).not.toContain('const line20 =')
  })

  it('over half a megabyte is left out by its size', async () => {
    const content = [{ type: 'diff', path: '/w/a.txt', oldText: 'x\n'.repeat(200_000), newText: 'y\n'.repeat(200_000) }]
    const call = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Edit', status: 'completed', content }
    const whole = await pageOf([updateLine(call)], await makeDirectory())
    expect(whole.length).toBeLessThan(60_000)
    expect(readPage(whole).text).toContain('[a diff of 781.3 KiB: not shown here]')
  })
})
