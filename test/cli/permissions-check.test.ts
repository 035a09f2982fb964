import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { checkCommand } from '../../src/cli/permissions.js'
import { loadConfig } from '../../src/config/index.js'
import { RememberedAnswers } from '../../src/gates/permission/index.js'

async function openCheck(config = '') {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-check-')))
  const printed: string[] = []
  const spies = [process.stdout, process.stderr].map(stream =>
    vi.spyOn(stream, 'write').mockImplementation(text => printed.push(String(text)) > 0),
  )
  onTestFinished(async () => {
    for (const spy of spies) spy.mockRestore()
    await rm(dir, { recursive: true, force: true })
  })
  const stateDir = join(dir, 'state')
  const cwd = join(dir, 'project')
  await mkdir(join(cwd, 'src'), { recursive: true })
  const path = join(dir, 'config.yml')
  await writeFile(path, config)
  const settings = await loadConfig({ env: { DECKHAND_CONFIG: path }, platform: process.platform, home: dir })
  const environment = { cwd, env: {}, stateDir, settings, credentialsPath: join(dir, 'credentials.yml') }
  const check = async (command: string, options: Parameters<typeof checkCommand>[2] = {}) => {
    const exitCode = await checkCommand(environment, command, options)
    return { exitCode, text: printed.splice(0).join('') }
  }
  const row = async (command: string, options: Parameters<typeof checkCommand>[2] = {}) => {
    const { text } = await check(command, { ...options, json: true })
    const { decision, row } = JSON.parse(text.split('\n').find(line => line.startsWith('{')) ?? '{}')
    return `${decision} ${row}`
  }
  return { check, row, cwd, stateDir }
}

const RULES = 'permissions: {commands: {allow: ["npm test *"], ask: ["npm publish *"], deny: ["rm *"]}}\n'

describe('deckhand permissions check', () => {
  it('names the decision, the row and what could be allowed for good; the exit code is 0 only if it is free', async () => {
    const { check } = await openCheck()
    expect(await check('git status')).toEqual({
      exitCode: 0,
      text: 'allow: it only looks\nrow: looks-only (mode ask)\n',
    })
    expect(await check('npm run build && npm test')).toEqual({
      exitCode: 1,
      text: `ask: no rule allows npm run build
row: other-command (mode ask)
can be allowed for good: npm run build *
can be allowed for good: npm test *
`,
    })
  })

  it('finds each row', async () => {
    const { row } = await openCheck(RULES)
    expect(await row('npm test')).toBe('allow rule-allow')
    expect(await row('npm publish')).toBe('ask rule-ask')
    expect(await row('npm test; rm x')).toBe('deny rule-deny')
    expect(await row('rm x', { mode: 'full-access' })).toBe('deny rule-deny')
    expect(await row('ls src')).toBe('allow looks-only')
    expect(await row('ls ..')).toBe('ask looks-only')
    expect(await row('npm install x')).toBe('ask other-command')
    expect(await row('sudo ls')).toBe('ask never-always')
    expect(await row("ls '")).toBe('ask cannot-parse')
    expect(await row('npm install x', { mode: 'plan' })).toBe('deny plan-mode')
    expect(await row('ls src', { mode: 'plan' })).toBe('allow looks-only')
    expect(await row('npm install x', { mode: 'full-access' })).toBe('allow full-access')
    expect(await row('npm install x', { mode: 'accept-edits' })).toBe('ask other-command')
  })

  it("sees Deckhand's own files, which are closed in every mode (J3)", async () => {
    const { row, stateDir } = await openCheck()
    expect(await row(`cat ${join(stateDir, 'permissions.json')}`, { mode: 'full-access' })).toBe('deny own-files')
  })

  it('counts what was remembered for the project', async () => {
    const { row, cwd, stateDir } = await openCheck()
    await new RememberedAnswers(stateDir).add(cwd, { type: 'command', words: ['npm', 'install', 'x'] })
    expect(await row('npm install x')).toBe('allow rule-allow')
    expect(await row('npm install y')).toBe('ask other-command')
  })

  it('takes the folder as the only root', async () => {
    const { row } = await openCheck()
    expect(await row('ls ../project')).toBe('allow looks-only')
    expect(await row('ls ..', { cwd: 'src' })).toBe('ask looks-only')
  })

  it('with a faulty config tells what is wrong, and asks for what is free otherwise', async () => {
    const { check, row } = await openCheck('permissions: {mod: ask}\n')
    const { text, exitCode } = await check('ls')
    expect(exitCode).toBe(1)
    expect(text).toContain('config.yml:1: permissions.mod is no setting; did you mean mode?')
    expect(await row('ls')).toBe('ask faulty-config')
  })
})
