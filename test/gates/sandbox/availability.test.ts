import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { text } from '../../../src/cards/index.js'
import { warnings } from '../../registry/support.js'
import { hasBubblewrap, openCell, openFolder } from './support.js'

/** PATH with nothing on it but, if given, a bwrap of this text. */
function replaceBubblewrap(script?: string): void {
  const folder = openFolder()
  if (script !== undefined) writeFileSync(join(folder, 'bwrap'), script, { mode: 0o755 })
  const before = process.env.PATH
  process.env.PATH = folder
  onTestFinished(() => {
    process.env.PATH = before
  })
}

// The sandbox of other systems is not bubblewrap, and is tested by itself.
const isLinux = process.platform === 'linux'

describe.runIf(isLinux)('where no sandbox works', () => {
  test('a command that must be held is refused before it starts, with what to install', async () => {
    replaceBubblewrap()
    const cell = await openCell()
    const run = await cell.run('echo ran')
    expect(run).toMatchObject({ isError: true, started: false, error: { code: 'SANDBOX_UNAVAILABLE' } })
    expect(run.text).toContain('install the package bubblewrap')
    expect(cell.ctx.sandbox).toMatchObject({ mode: 'required', available: false })
    expect(cell.ctx.sandbox.holds(cell.agent)).toBe(false)
  })

  test('auto runs commands without, and says so once in the thread', async () => {
    replaceBubblewrap()
    const cell = await openCell({ mode: 'auto', answer: () => 'allow_once' })
    expect((await cell.run('echo ran')).text).toBe('ran\n')
    await cell.run('echo again')
    expect(cell.notes).toEqual([expect.stringContaining('bubblewrap is not installed')])
    expect(warnings(cell.ctx).join()).toContain('bubblewrap is not installed')
  })

  test('a bubblewrap that fails here counts as none, and its words are told', async () => {
    replaceBubblewrap('#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2; exit 1\n')
    const cell = await openCell()
    expect((await cell.run('echo ran')).text).toContain('setting up uid map: Permission denied')
  })

  test('a tool that declares nothing runs, but can start no process that must be held', async () => {
    replaceBubblewrap()
    const cell = await openCell()
    cell.ctx.tools.register({
      name: 'mystery',
      description: '',
      parameters: { type: 'object' },
      async execute(_args, exec) {
        const failure = await exec.launch(['true'], { cwd: cell.dir }).catch(error => error.code)
        return [text(String(failure))]
      },
    })
    const result = await cell.ctx.tools.execute({ callId: 'm', name: 'mystery', arguments: {}, agent: cell.agent })
    expect(result).toMatchObject({ isError: false, content: [{ text: 'SANDBOX_UNAVAILABLE' }] })
  })
})

describe.runIf(hasBubblewrap)('who is held', () => {
  const inside = 'echo "$DECKHAND_SANDBOX"'

  test.each([
    ['off', 'model', ''],
    ['auto', 'model', '1'],
    ['auto', 'user', ''],
    ['required', 'model', '1'],
    ['required', 'user', '1'],
  ] as const)('with %s a command of a %s: %j', async (mode, origin, expected) => {
    const cell = await openCell({ mode })
    const agent = { ...cell.agent, origin }
    expect((await cell.run(inside, { agent })).text).toBe(`${expected}\n`)
    expect(cell.ctx.sandbox.holds(agent)).toBe(expected === '1')
  })

  test('userCommands decides over what the user types', async () => {
    const agent = { sessionId: 's1', cwd: '/', roots: ['/'], origin: 'user' as const }
    const held = await openCell({ mode: 'auto', userCommands: true })
    expect((await held.run(inside, { agent })).text).toBe('1\n')
    const free = await openCell({ mode: 'required', userCommands: false })
    expect((await free.run(inside, { agent })).text).toBe('\n')
  })

  test('a call without a session is held too when it must be, in the folder it runs in', async () => {
    const cell = await openCell()
    const run = await cell.run('touch a && ls && touch /etc/deckhand-test', { agent: null, cwd: cell.dir })
    expect(run).toMatchObject({ isError: true, text: expect.stringMatching(/^a\n/) })
  })

  test('tools that declare effects without a command start their processes as they are', async () => {
    const cell = await openCell()
    const seen: string[] = []
    cell.ctx.tools.register({
      name: 'search',
      description: '',
      parameters: { type: 'object' },
      effects: () => ({ reads: ['.'] }),
      async execute(_args, exec) {
        const onOutput = (chunk: Uint8Array) => void seen.push(Buffer.from(chunk).toString())
        await (await exec.launch(['sh', '-c', inside], { cwd: cell.dir, onOutput })).exited
        return []
      },
    })
    await cell.ctx.tools.execute({ callId: 's', name: 'search', arguments: {}, agent: cell.agent })
    expect(seen.join('')).toBe('\n')
  })
})
