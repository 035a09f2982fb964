import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deckhand, makeDirectory } from '../binary/support.js'
import { openPage } from '../support/chromium.js'
import { foldUpdates } from '../support/fold.js'
import { pngChunks, withText } from '../support/png.js'
import { runCommand } from './support/commands.js'
import { codeBlocks, fileBlocks, readDocument, root } from './support/markdown.js'
import { openProject } from './support/project.js'
import { recordSession } from './support/record-session.js'

/** `npm run pictures`: the session is recorded and the pictures are drawn anew. */
const isDrawing = process.env.npm_lifecycle_event === 'pictures'

const SESSION = join(root, 'docs/pictures/session.ndjson')
const FAULT = join(root, 'fixtures/wire/faults/03-status-goes-back.ndjson')

const PICTURES = [
  { name: 'session.png', transcript: SESSION, width: 1180, height: 1400 },
  { name: 'finding.png', transcript: FAULT, width: 1180, height: 1300 },
]

/** What a picture says of the page that it was drawn of: fonts differ between machines, the page does not. */
const SOURCE = 'Source'

async function pageOf(transcript: string): Promise<{ path: string; hash: string }> {
  const path = join(makeDirectory(), 'page.html')
  await deckhand(['view', transcript, '--html', path])
  return { path, hash: createHash('sha256').update(readFileSync(path)).digest('hex') }
}

/** The log that docs/sessions.md shows. */
function sessionLog(): [string, string][] {
  return [...fileBlocks(readDocument('docs/sessions.md'))].map(([name, text]) => [`state/sessions/${name}`, text])
}

const updatesOf = (lines: readonly string[]) => lines.flatMap(line => JSON.parse(line).msg.params?.update ?? [])

describe('the pictures of the documents', () => {
  it('are of a session that goes so today', async () => {
    const lines = await recordSession()
    if (isDrawing) writeFileSync(SESSION, `${lines.join('\n')}\n`)
    const kept = readFileSync(SESSION, 'utf8').trimEnd().split('\n')
    const asked = kept.filter(line => line.includes('"session/request_permission"'))
    expect(asked.length).toBe(3)
    expect(foldUpdates(updatesOf(kept))).toEqual(foldUpdates(updatesOf(lines)))
  })

  const drawn = isDrawing ? PICTURES : []
  it.each(drawn)('$name is drawn', async ({ name, transcript, ...options }) => {
    const { path, hash } = await pageOf(transcript)
    const screenshot = join(makeDirectory(), name)
    expect((await openPage(path, { ...options, screenshot })).complaints).toEqual([])
    writeFileSync(join(root, 'docs/pictures', name), withText(readFileSync(screenshot), SOURCE, hash))
  })

  it.each(PICTURES)('$name is of the page that view makes today (npm run pictures draws it anew)', async picture => {
    const { hash } = await pageOf(picture.transcript)
    const file = readFileSync(join(root, 'docs/pictures', picture.name))
    const texts = pngChunks(file).flatMap(({ type, data }) => (type === 'tEXt' ? [data.toString('latin1')] : []))
    expect(texts).toEqual([`${SOURCE}\0${hash}`])
    expect(file.length).toBeLessThan(200 * 1024)
  })
})

describe('docs/view.md', () => {
  it('has commands that run', async () => {
    const transcript = readFileSync(SESSION, 'utf8')
    const project = await openProject(new Map([['docs/pictures/session.ndjson', transcript], ...sessionLog()]))
    const blocks = codeBlocks(readDocument('docs/view.md')).filter(({ language }) => language === 'sh')
    const lines = blocks.flatMap(({ text }) => text.trim().split('\n'))
    expect(lines.length).toBe(3)
    for (const line of lines) expect((await runCommand(line, project)).code, line).toBe(0)
    expect(readFileSync(join(project, 'session.html'), 'utf8')).toContain(
      'as loading it shows it to a client of kind plain',
    )
  })
})
