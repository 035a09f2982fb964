import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { listPermissions, removePermissions } from '../../src/cli/permissions.js'
import { defaultConfig } from '../../src/config/index.js'
import { RememberedAnswers } from '../../src/gates/permission/index.js'

async function open() {
  const stateDir = await mkdtemp(join(tmpdir(), 'deckhand-permissions-'))
  const printed: string[] = []
  const out = vi.spyOn(process.stdout, 'write').mockImplementation(text => printed.push(String(text)) > 0)
  const err = vi.spyOn(process.stderr, 'write').mockImplementation(text => printed.push(String(text)) > 0)
  onTestFinished(async () => {
    out.mockRestore()
    err.mockRestore()
    await rm(stateDir, { recursive: true, force: true })
  })
  const settings = { config: defaultConfig(), path: join(stateDir, 'config.yml'), problems: [] }
  const environment = { cwd: stateDir, env: {}, stateDir, settings, credentialsPath: join(stateDir, 'credentials.yml') }
  return { environment, remembered: new RememberedAnswers(stateDir), printed: () => printed.splice(0).join('') }
}

describe('deckhand permissions', () => {
  it('list shows each answer with its id, by project', async () => {
    const { environment, remembered, printed } = await open()
    expect(await listPermissions(environment, {})).toBe(0)
    expect(printed()).toContain('Nothing is allowed for good')
    const one = await remembered.add('/w', { type: 'command', words: ['npm', 'test', '*'] })
    const two = await remembered.add('/v', { type: 'host', host: 'docs.example' })
    await listPermissions(environment, {})
    const text = printed()
    expect(text).toMatch(new RegExp(`/w\n  ${one.id} .*the command npm test \\*\n/v\n  ${two.id} .*docs.example\n`))
    await listPermissions(environment, { json: true })
    expect(
      printed()
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toEqual([one, two])
  })

  it('remove takes an answer back, and fails for an id that is not there', async () => {
    const { environment, remembered, printed } = await open()
    const one = await remembered.add('/w', { type: 'tool', name: 'mcp_issue' })
    expect(await removePermissions(environment, [one.id, 'nope'])).toBe(1)
    expect(printed()).toContain('There is no answer nope')
    expect(await remembered.list()).toEqual([])
    expect(await removePermissions(environment, [one.id])).toBe(1)
  })
})
