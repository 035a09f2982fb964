import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from '../cli/run-cli.js'
import { chromium, openPage } from '../support/chromium.js'
import { openLocalAgent } from '../support/local-agent.js'
import { readPng } from '../support/png.js'
import { deckhand, makeDirectory } from './support.js'

const fixtures = resolve(import.meta.dirname, '../../fixtures')
const EVERY_KIND = join(fixtures, 'view/every-kind.ndjson')

describe('deckhand view', () => {
  it('draws a transcript with its findings and ends with code 1 if there are any', async () => {
    const sound = await deckhand(['view', EVERY_KIND])
    expect(sound).toMatchObject({ code: 0, stderr: '' })
    for (const part of ['> Make the greeting test pass.', '│ greet: expected "Hello, Ada!"', '? edit changes a file'])
      expect(sound.stdout).toContain(part)
    expect(sound.stdout.trimEnd().split('\n').at(-1)).toBe('42 messages; calls: 1 failed, 4 completed. No findings.')
    expect(sound.stdout).not.toMatch(/[\u001b\u0007]/)

    const fault = readFileSync(join(fixtures, 'wire/faults/03-status-goes-back.ndjson'), 'utf8')
    const piped = await deckhand(['view', '-'], { input: fault })
    expect(piped).toMatchObject({ code: 1, stderr: '' })
    expect(piped.stdout).toContain('✗ line 8: rule 3: status goes back from in_progress to pending')
  })

  it('shows a recorded session by the start of its id, for each kind of client, as a page and in the terminal', async () => {
    const [stateDir, cwd] = [makeDirectory('state'), makeDirectory()]
    const agent = await openLocalAgent('plain', { stateDir })
    const id = await agent.newSession(cwd)
    await agent.prompt(id, '!printf "\\033[32mgreen\\033[0m\\n"; exit 3')
    await agent.prompt(id, '/write new.js\n```\nconst one = 1\n```')
    await agent.end()
    const env = { DECKHAND_STATE_DIR: stateDir }
    for (const client of ['zed', 'plain', 'delta']) {
      const page = join(cwd, `${client}.html`)
      const shown = await runCli(['view', id.slice(0, 8), '--client', client, '--html', page], { env, cwd })
      expect(shown).toMatchObject({ code: 0, stderr: '' })
      const text = readFileSync(page, 'utf8')
      expect(text).toContain('exit')
      expect(text).toContain('new file ')
      expect(text.includes('<span class="ansi-green-fg">green</span>')).toBe(client !== 'plain')
    }
    const drawn = await runCli(['view', id], { env })
    expect(drawn.stdout).toMatch(/^\n> !printf[\s\S]*│ green[\s\S]*exit 3[\s\S]*const one = 1/)
    expect(await runCli(['view', 'nothing'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^deckhand: There is no session nothing in .*, and no file of that name\. "deckhand sessions list" .*\n$/,
      ),
    })
  })

  it('shows a log by its path, with the questions that it holds and what a crash cut off', async () => {
    const cwd = makeDirectory()
    const call = (callId: string) => ({ type: 'tool/call', callId, name: 'bash', arguments: { command: 'make' } })
    const records = [
      { type: 'session', version: 1, id: 'x', cwd, roots: [cwd], created: '2026-01-01T00:00:00.000Z' },
      { at: 1, type: 'turn/start', turnId: 't1' },
      { at: 2, ...call('c1'), origin: 'model' },
      { at: 3, type: 'permission/asked', callId: 'c1', question: 'no rule allows make' },
      { at: 4, type: 'permission/answered', callId: 'c1', answer: 'allow_once' },
      { at: 5, type: 'tool/running', callId: 'c1' },
      { at: 6, type: 'tool/progress', callId: 'c1', output: 'compiling\n' },
    ]
    writeFileSync(join(cwd, 'some.jsonl'), records.map(record => `${JSON.stringify(record)}\n`).join(''))
    const shown = await runCli(['view', 'some.jsonl'], { cwd, env: { DECKHAND_STATE_DIR: makeDirectory('state') } })
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toMatch(
      /make[\s\S]*failed\n│ compiling\n│ \[interrupted\]\n.*\n\? no rule allows make\n {2}allow once\n/,
    )
  })

  it('replaces a page of its own and no other file, and leaves nothing half written', async () => {
    const cwd = makeDirectory()
    const run = () => runCli(['view', EVERY_KIND, '--html', 'page.html'], { cwd })
    expect((await run()).code).toBe(0)
    const first = readFileSync(join(cwd, 'page.html'))
    expect((await run()).code).toBe(0)
    expect(readFileSync(join(cwd, 'page.html'))).toEqual(first)
    writeFileSync(join(cwd, 'page.html'), 'mine')
    const refused = await run()
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('not overwritten') })
    expect(readFileSync(join(cwd, 'page.html'), 'utf8')).toBe('mine')
    expect(readdirSync(cwd)).toEqual(['page.html'])
  })
})

describe.runIf(chromium)('a page in a browser (needs Chromium)', () => {
  it('is drawn light and dark, wide and narrow, and holds nothing that runs', async () => {
    const directory = makeDirectory()
    const page = join(directory, 'page.html')
    await runCli(['view', EVERY_KIND, '--html', page])
    const light = await openPage(page, { width: 1240, height: 1800, screenshot: join(directory, 'light.png') })
    expect(light.complaints).toEqual([])
    expect(light.dom).not.toMatch(/<script|<iframe|<object|<link/i)
    expect(light.dom).toContain('Make the greeting test pass')
    const picture = readPng(readFileSync(join(directory, 'light.png')))
    expect(picture).toMatchObject({ width: 1240, height: 1800 })
    // The page's ground, the two grounds of changed lines, and a question's frame.
    for (const colour of ['ffffff', 'e3f6e6', 'fdeaea', '0b62c4'])
      expect(picture.colours.get(colour)).toBeGreaterThan(500)

    const narrow = { width: 500, height: 900, dark: true, screenshot: join(directory, 'dark.png') }
    expect((await openPage(page, narrow)).complaints).toEqual([])
    const dark = readPng(readFileSync(join(directory, 'dark.png')))
    expect(dark).toMatchObject({ width: 500, height: 900 })
    expect(dark.colours.get('16181d')).toBeGreaterThan(50_000)
    expect(dark.colours.has('ffffff')).toBe(false)
  })

  it('runs nothing and asks for nothing even if something were in it', async () => {
    const directory = makeDirectory()
    const page = join(directory, 'page.html')
    await runCli(['view', EVERY_KIND, '--html', page])
    const hole = '<script>document.title = "ran"</script><img src="https://example.org/x.png"></main>'
    writeFileSync(page, readFileSync(page, 'utf8').replace('</main>', hole))
    const { dom, complaints } = await openPage(page, { width: 400, height: 300, screenshot: join(directory, 'x.png') })
    expect(dom).toContain('<title>Make the greeting test pass</title>')
    expect(complaints.length).toBe(2)
    expect(complaints.every(line => line.includes('Content Security Policy'))).toBe(true)
  })
})
