import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkTranscript } from '../../../src/bridge/index.js'
import { fixtures, linesOf, makeDirectory, pageOf, readPage } from './support.js'

const faults = readdirSync(join(fixtures, 'wire/faults'))

describe('findings on a page', () => {
  it.each(faults)('of %s stand at their message, on its entry and at the top', async name => {
    const lines = await linesOf(`wire/faults/${name}`)
    const { value: finding } = await checkTranscript(lines).next()
    if (!finding) throw new Error('a fault that is not found')
    const page = await pageOf(lines, await makeDirectory())
    const start = page.indexOf('<main')
    const said = `Rule ${finding.rule}: ${finding.text}`
    const top = readPage(page.slice(0, start)).text
    expect(top).toContain('1 finding')
    expect(top).toContain(`Line ${finding.line}, rule ${finding.rule}: ${finding.text}`)
    expect(readPage(page.slice(start)).text).toContain(said)
    // What the end leaves open stands at no message.
    if (finding.text === 'a prompt without an answer') return
    const frame = /<li id="line-\d+" class="faulty">[\s\S]*?<\/li>/.exec(
      page.slice(page.indexOf(`id="line-${finding.line}"`) - 4),
    )
    expect(readPage(frame?.[0] ?? '').text).toContain(said)
    expect(page).toContain('<details class="frames" open>')
  })

  it('about a call that stand at another message are shown on its card too', async () => {
    const page = await pageOf(await linesOf('wire/faults/03-call-left-open.ndjson'), await makeDirectory())
    const card = page.slice(page.indexOf('id="call-1"'), page.indexOf('</article>', page.indexOf('id="call-1"')))
    expect(readPage(card).text).toMatch(/Rule 3: a call without a final status \(line 8\)/)
    expect(readPage(page).text).toContain('1 finding')
  })

  it('a line that is no message is shown as broken', async () => {
    const lines = [
      ...(await linesOf('wire/sound/begins-in-the-middle.ndjson')),
      '{"dir":"out","msg":{"a',
      undefined,
      '[1]',
    ]
    const { text } = readPage(await pageOf(lines, await makeDirectory()))
    expect(text).toMatch(/A line that is no message\{"dir":"out","msg":\{"a/)
    expect(text).toContain('Rule 13: not JSON')
    expect(text).toContain('Rule 12: a line of more than')
    expect(text).toContain('Rule 13: not a JSON-RPC object')
    expect(text).toContain('Broken lines2')
  })
})
