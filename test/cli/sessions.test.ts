import { appendFileSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Frame } from '../support/agent-client.js'
import { makeDirectory } from '../support/directory.js'
import { foldUpdates } from '../support/fold.js'
import { openLocalAgent } from '../support/local-agent.js'
import { expectValidUpdates } from '../support/schema.js'
import { runCli } from './run-cli.js'

const NAMES = { plain: 'plain', zed: 'terminal_output', delta: 'terminal_output_delta' } as const

async function makeSession(stateDir: string, cwd: string, ...prompts: string[]): Promise<string> {
  const agent = await openLocalAgent('plain', { stateDir })
  const sessionId = await agent.newSession(cwd)
  for (const text of prompts) await agent.prompt(sessionId, text)
  await agent.end()
  return sessionId
}

const updatesOf = (stdout: string): Frame[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).params.update)

describe('deckhand replay', () => {
  it('prints what a load would send, for each kind of client, and changes nothing', async () => {
    const [stateDir, cwd] = [makeDirectory('state'), makeDirectory()]
    const prompts = ['!echo one; exit 3', '/write a-b.txt\n```\nx\n```', '/read a-b.txt', 'words']
    const id = await makeSession(stateDir, cwd, ...prompts)
    const log = join(stateDir, 'sessions', `${id}.jsonl`)
    const before = readFileSync(log)
    for (const [name, client] of Object.entries(NAMES)) {
      const replay = await runCli(['replay', id, '--client', name], { env: { DECKHAND_STATE_DIR: stateDir } })
      expect(replay).toMatchObject({ code: 0, stderr: '' })
      const updates = updatesOf(replay.stdout)
      expectValidUpdates(updates)

      const agent = await openLocalAgent(client, { stateDir })
      const loaded = await agent.request('session/load', { sessionId: id, cwd, mcpServers: [] })
      const sent = agent.frames.slice(0, agent.frames.indexOf(loaded)).flatMap(frame => frame.params?.update ?? [])
      expect(foldUpdates(updates)).toEqual(foldUpdates(sent))
      await agent.end()
    }
    expect(readFileSync(log)).toEqual(before)
  })

  it('takes the path of a log as well, draws its cards, and shows what a crash cut off', async () => {
    const cwd = makeDirectory()
    const log = join(cwd, 'some-log.jsonl')
    const records = [
      { type: 'session', version: 1, id: 'x', cwd, roots: [cwd], created: '2026-01-01T00:00:00.000Z' },
      { at: 1, type: 'turn/start', turnId: 't1' },
      { at: 2, type: 'tool/call', callId: 'c1', name: 'bash', arguments: { command: 'make' }, origin: 'user' },
      { at: 3, type: 'tool/running', callId: 'c1' },
      { at: 4, type: 'tool/progress', callId: 'c1', output: 'compiling\n' },
    ]
    writeFileSync(log, `${records.map(record => JSON.stringify(record)).join('\n')}\nnot json\n`)
    const { code, stdout, stderr } = await runCli(['replay', 'some-log.jsonl', '--cards'], {
      cwd,
      env: { DECKHAND_STATE_DIR: makeDirectory('state') },
    })
    expect(code).toBe(0)
    expect(stdout).toMatch(/make[\s\S]*failed[\s\S]*compiling[\s\S]*\[interrupted\]/)
    expect(stderr).toBe('line 6: not a record\n')
  })
})

describe('deckhand sessions', () => {
  it('lists, shows, removes and prunes', async () => {
    const [stateDir, one, two] = [makeDirectory('state'), makeDirectory(), makeDirectory()]
    const run = (...args: string[]) => runCli(['sessions', ...args], { env: { DECKHAND_STATE_DIR: stateDir } })
    expect((await run()).stdout).toMatch(/^No sessions in /)
    expect(await run('list', '--json')).toEqual({ code: 0, stdout: '', stderr: '' })

    const first = await makeSession(stateDir, one, '!echo first')
    const second = await makeSession(stateDir, two, '!echo second')
    const plain = await run()
    expect(plain.stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(`^${second} .*!echo second.*${two}`),
      expect.stringMatching(`^${first} .*!echo first.*${one}`),
    ])
    const json = await run('list', '--json', '--cwd', one)
    expect(JSON.parse(json.stdout)).toMatchObject({ id: first, cwd: one, title: '!echo first' })

    const shown = await run('show', first)
    expect(shown.stdout).toMatch(/^session [\s\S]*turn\/start[\s\S]*tool\/call[\s\S]*tool\/result[\s\S]*turn\/end/)
    expect((await run('show', first.slice(0, 12))).stdout).toBe(shown.stdout)
    const raw = await run('show', first, '--json')
    expect(raw.stdout).toBe(readFileSync(join(stateDir, 'sessions', `${first}.jsonl`), 'utf8'))

    const longAgo = new Date(Date.now() - 100 * 24 * 60 * 60 * 1000)
    utimesSync(join(stateDir, 'sessions', `${first}.jsonl`), longAgo, longAgo)
    expect((await run('prune')).stdout).toMatch(/^Removed 1 sessions?/)
    const third = await makeSession(stateDir, one, '!echo third')
    expect(await run('rm', third)).toEqual({ code: 0, stdout: '', stderr: '' })
    const missed = await run('rm', 'no-such-session', second)
    expect(missed).toMatchObject({ code: 1, stdout: '' })
    expect(missed.stderr).toMatch(/^deckhand: There is no session no-such-session in .*sessions list.*\n$/)
    expect((await run('list', '--json')).stdout).toBe('')
    expect((await run('rm', second)).code).toBe(1)
  })
})

describe('deckhand check', () => {
  it('finds nothing in the transcript of this agent, and the faults in one that has some', async () => {
    const agent = await openLocalAgent('terminal_output')
    const sessionId = await agent.newSession(makeDirectory())
    await agent.prompt(sessionId, '!echo x; exit 1')
    await agent.prompt(sessionId, '/write a.txt\n```\nx\n```')
    await agent.end()
    const file = join(makeDirectory(), 'good.ndjson')
    const lines = [
      ...agent.sent.flatMap(msg => [
        { dir: 'in', msg },
        ...(msg.id === undefined ? [] : framesFor(agent.frames, msg.id).map(frame => ({ dir: 'out', msg: frame }))),
      ]),
    ]
    writeFileSync(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
    expect(await runCli(['check', file])).toEqual({ code: 0, stdout: 'No findings.\n', stderr: '' })
    const bare = lines.map(({ msg }) => `${JSON.stringify(msg)}\n`).join('')
    expect(await runCli(['check', '-'], { input: bare })).toEqual({ code: 0, stdout: 'No findings.\n', stderr: '' })

    const update = { sessionUpdate: 'tool_call_update', toolCallId: 'ghost', status: 'completed' }
    appendFileSync(
      file,
      `${JSON.stringify({ dir: 'out', msg: { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } } })}\nnot json\n`,
    )
    const bad = await runCli(['check', file])
    expect(bad.code).toBe(1)
    expect(bad.stdout).toMatch(/line \d+: rule 1: .*ghost[\s\S]*rule 13: not JSON\n[\s\S]*findings?\.\n$/)
  })
})

/** What came up to the response of this request and after the one before. */
function framesFor(frames: readonly Frame[], id: unknown): Frame[] {
  const end = frames.findIndex(frame => frame.id === id && frame.method === undefined)
  const before = frames.slice(0, end).findLastIndex(frame => frame.id !== undefined && frame.method === undefined)
  return frames.slice(before + 1, end + 1)
}
