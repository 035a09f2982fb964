import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { foldUpdates } from '../support/fold.js'
import { openLocalAgent } from '../support/local-agent.js'
import { isRunning, until } from '../support/processes.js'
import { makeDirectory, openAgent } from './support.js'

it.each(['plain', 'terminal_output'] as const)(
  'SIGKILL in the middle of a command loses nothing that the editor saw, and leaves no child (%s)',
  async client => {
    const cwd = makeDirectory()
    const first = await openAgent(client)
    const sessionId = await first.newSession(cwd)
    await first.prompt(sessionId, '!echo done before')
    const command = '!echo $$ > pid; for i in 1 2 3; do echo line $i; done; sleep 300 & sleep 300; echo never'
    first.start('session/prompt', { sessionId, prompt: [{ type: 'text', text: command }] })
    await first.frame(frame => JSON.stringify(frame).includes('line 3'))
    const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'))
    first.child.kill('SIGKILL')
    await first.exited
    const live = foldUpdates(first.updates(sessionId), { user: false })
    await until(() => !isRunning(pid) && !hasGroup(pid))

    const second = await openLocalAgent(client, { stateDir: first.stateDir })
    expect((await second.request('session/load', { sessionId, cwd, mcpServers: [] })).error).toBeUndefined()
    const [before, killed] = foldUpdates(second.updates(sessionId), { user: false }).entries
    expect(before).toEqual(live.entries[0])
    const seen = live.entries[1]
    if (seen?.type !== 'call' || killed?.type !== 'call') throw new Error('two calls were shown')
    expect(killed.fields).toMatchObject({ title: seen.fields.title, rawInput: seen.fields.rawInput, status: 'failed' })
    if (client === 'plain') {
      expect(JSON.stringify(killed.fields.content)).toMatch(/line 1\\nline 2\\nline 3\\n.*"\[interrupted\]"/)
    } else {
      expect(killed.terminal).toEqual({ cwd, data: `${seen.terminal?.data}[interrupted]`, exit: {} })
    }
    expect((await second.prompt(sessionId, '!echo next')).result).toEqual({ stopReason: 'end_turn' })
  },
)

it('what the killed turn left open is closed once: a second load shows the same (B51)', async () => {
  const cwd = makeDirectory()
  const first = await openAgent('terminal_output')
  const sessionId = await first.newSession(cwd)
  first.start('session/prompt', { sessionId, prompt: [{ type: 'text', text: '!echo here; sleep 300' }] })
  await first.frame(frame => frame.params?.update?._meta?.terminal_output?.data === 'here\n')
  first.child.kill('SIGKILL')
  await first.exited

  const replays = []
  for (let round = 0; round < 2; round++) {
    const agent = await openLocalAgent('terminal_output', { stateDir: first.stateDir })
    await agent.request('session/load', { sessionId, cwd, mcpServers: [] })
    replays.push(foldUpdates(agent.updates(sessionId)))
    await agent.end()
  }
  expect(replays[1]).toEqual(replays[0])
  const log = readFileSync(join(first.stateDir, 'sessions', `${sessionId}.jsonl`), 'utf8')
  const types = log
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).type)
  expect(types.filter(type => type === 'tool/call')).toHaveLength(1)
  expect(types.filter(type => type === 'tool/result')).toHaveLength(1)
})

it('a session that another live process has open is refused with its pid, and taken over once that is dead', async () => {
  const cwd = makeDirectory()
  const first = await openAgent()
  const sessionId = await first.newSession(cwd)
  await first.prompt(sessionId, '!echo mine')
  const second = await openAgent('plain', { stateDir: first.stateDir })
  const refused = await second.request('session/load', { sessionId, cwd, mcpServers: [] })
  expect(refused.error).toMatchObject({
    code: -32603,
    data: { details: expect.stringContaining(`${first.child.pid}`) },
  })
  first.child.kill('SIGKILL')
  await first.exited
  expect((await second.request('session/load', { sessionId, cwd, mcpServers: [] })).error).toBeUndefined()
  expect((await second.prompt(sessionId, '!echo mine now')).result).toEqual({ stopReason: 'end_turn' })
})

it('a write that was under way at SIGKILL is whole or not there', async () => {
  const cwd = makeDirectory()
  const first = await openAgent()
  const sessionId = await first.newSession(cwd)
  writeFileSync(join(cwd, 'old.txt'), 'old\n')
  await first.prompt(sessionId, '/read old.txt')
  const text = `${'new line\n'.repeat(200_000)}`
  first.start('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text: `/write old.txt\n\`\`\`\n${text}\`\`\`` }],
  })
  await first.frame(frame => frame.params?.update?.title?.includes('old.txt') && frame.params.update.kind === 'edit')
  first.child.kill('SIGKILL')
  await first.exited
  expect(['old\n', text]).toContain(readFileSync(join(cwd, 'old.txt'), 'utf8'))
})

/** True while a process of the group runs. */
function hasGroup(pgid: number): boolean {
  return readdirSync('/proc').some(pid => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return Number(group) === pgid && state !== 'Z' && state !== 'X'
    } catch {
      return false
    }
  })
}
