import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Mode } from '../../../src/gates/permission/index.js'
import { putTree } from '../../support/tree.js'
import { type GateBench, openGate } from './support.js'

type Outcome = 'free' | 'asks' | 'asks without always' | 'denied'
type Row = [ask: Outcome, acceptEdits: Outcome, plan: Outcome, fullAccess: Outcome]

const MODES: Mode[] = ['ask', 'accept-edits', 'plan', 'full-access']
const FREE: Row = ['free', 'free', 'free', 'free']
const SECRET_READ: Row = ['asks without always', 'asks without always', 'asks without always', 'free']
const EDIT: Row = ['asks', 'free', 'denied', 'free']
const GUARDED_WRITE: Row = ['asks without always', 'asks without always', 'denied', 'free']
const ANYTHING: Row = ['asks', 'asks', 'denied', 'free']
const NETWORK: Row = ['asks', 'asks', 'asks', 'free']
const CLOSED: Row = ['denied', 'denied', 'denied', 'denied']

const TOOLS = {
  touch: { effects: ({ path }: Record<string, unknown>) => ({ writes: [String(path)] }) },
  anything: {},
  fetch: { effects: ({ host }: Record<string, unknown>) => ({ network: [String(host)] }) },
  browse: { effects: () => ({ network: true as const }) },
}

async function outcome(bench: GateBench, name: string, args: object): Promise<Outcome> {
  const { agent, permissions } = bench
  const verdict = await permissions.decide({ name, arguments: { ...args }, agent })
  if (verdict.decision === 'allow') return 'free'
  if (verdict.decision === 'deny') return 'denied'
  return verdict.always.length > 0 ? 'asks' : 'asks without always'
}

async function outcomes(name: string, args: (bench: GateBench) => object): Promise<Outcome[]> {
  const bench = await openGate({ tools: TOOLS })
  const { dir, outside, stateDir, configPath } = bench
  await putTree(dir, { 'src/a.ts': 'a\n', '.env': 'KEY=1\n', '.env.example': 'KEY=\n', 'plain/x': 'x\n' })
  await putTree(outside, { 'o.txt': 'o\n', 'state/sessions/s.jsonl': '{}\n', 'config/config.yml': '', 'docs/d': '' })
  await mkdir(join(dir, '.git', 'hooks'), { recursive: true })
  await symlink(join(outside, 'docs'), join(dir, 'linked'))
  await symlink(join(outside, 'missing'), join(dir, 'dangling'))
  await symlink(join(dir, '.git', 'hooks'), join(dir, 'plain', 'hooks'))
  await symlink(join(dir, '.env'), join(dir, 'notes.txt'))
  await symlink(configPath, join(dir, 'settings.yml'))
  await symlink(stateDir, join(dir, 'logs'))
  const found: Outcome[] = []
  for (const mode of MODES) {
    bench.permissions.setMode(bench.agent.sessionId, mode)
    found.push(await outcome(bench, name, args(bench)))
  }
  return found
}

describe('the default decisions in ask, accept edits, plan and full access', () => {
  it.each<[string, string, Row, (bench: GateBench) => object]>([
    ['a read inside the roots', 'read', FREE, () => ({ path: 'src/a.ts' })],
    ['a grep inside the roots', 'grep', FREE, () => ({ pattern: 'a', path: 'src' })],
    ['a glob inside the roots', 'glob', FREE, () => ({ pattern: '**/*.ts' })],
    ['a plan of the work', 'todo', FREE, () => ({ entries: [] })],
    ['a read of .env', 'read', SECRET_READ, () => ({ path: '.env' })],
    ['a read of .env.example', 'read', FREE, () => ({ path: '.env.example' })],
    ['a read of a link to .env', 'read', SECRET_READ, () => ({ path: 'notes.txt' })],
    ['a read of a key', 'read', SECRET_READ, () => ({ path: 'src/ID_ed25519' })],
    ['a read outside the roots', 'read', SECRET_READ, ({ outside }) => ({ path: join(outside, 'o.txt') })],
    ['a read through a linked folder (B63)', 'read', SECRET_READ, () => ({ path: 'linked/d' })],
    ['a read of .. (B63)', 'read', SECRET_READ, () => ({ path: '../x' })],
    ['a grep through a linked folder (B63)', 'grep', SECRET_READ, () => ({ pattern: 'a', path: 'linked' })],
    ['an edit inside the roots', 'edit', EDIT, () => ({ path: 'src/a.ts', old_string: 'a', new_string: 'b' })],
    ['a write of a new file', 'write', EDIT, () => ({ path: 'src/new/b.ts', content: '' })],
    ['a write of .env', 'write', GUARDED_WRITE, () => ({ path: '.env', content: '' })],
    ['a write through a dangling link (B63)', 'write', GUARDED_WRITE, () => ({ path: 'dangling', content: '' })],
    ['a write below a linked folder (B63)', 'write', GUARDED_WRITE, () => ({ path: 'linked/new/x', content: '' })],
    ['a write through a link to hooks', 'write', GUARDED_WRITE, () => ({ path: 'plain/hooks/pre-push', content: '' })],
    ['a tool that declares nothing', 'anything', ANYTHING, () => ({})],
    ['a fetch from a host', 'fetch', NETWORK, () => ({ host: 'example.com' })],
    ['a tool that may reach any host', 'browse', NETWORK, () => ({})],
    ['the config file (J3)', 'write', CLOSED, ({ configPath }) => ({ path: configPath, content: '' })],
    ['a link to the config file (J3)', 'write', CLOSED, () => ({ path: 'settings.yml', content: '' })],
    ['a read of the config file (J3)', 'read', CLOSED, ({ configPath }) => ({ path: configPath })],
    ['the remembered rules (J3)', 'write', CLOSED, ({ stateDir }) => ({ path: join(stateDir, 'permissions.json') })],
    [
      'the compiled code (J3)',
      'write',
      CLOSED,
      ({ stateDir }) => ({ path: join(stateDir, 'compile-cache', '1', 'a') }),
    ],
    ['a session log (J3)', 'touch', CLOSED, ({ stateDir }) => ({ path: join(stateDir, 'sessions', 's.jsonl') })],
    ['a session log through a link (J3)', 'touch', CLOSED, () => ({ path: 'logs/sessions/s.jsonl' })],
    ['a checkpoint (J3)', 'touch', CLOSED, ({ stateDir }) => ({ path: join(stateDir, 'checkpoints', 'x', 'y') })],
    ['credentials (J3)', 'read', CLOSED, ({ configPath }) => ({ path: join(configPath, '..', 'credentials.yml') })],
    ['the folder around them', 'touch', GUARDED_WRITE, ({ stateDir }) => ({ path: join(stateDir, 'notes.txt') })],
  ])('%s', async (_name, tool, row, args) => {
    expect(await outcomes(tool, bench => ({ content: '', ...args(bench) }))).toEqual(row)
  })

  it.each([
    '.git/hooks/pre-commit',
    '.git',
    'packages/a/.git/config',
    '.GIT/config',
    '.husky/pre-push',
    '.githooks/pre-push',
    '.zed/tasks.json',
    'sub/.VSCode/tasks.json',
    '.idea/runConfigurations/x.xml',
    '.github/workflows/ci.yml',
    '.envrc',
    'deep/down/.mcp.json',
    '.npmrc',
    'AGENTS.md',
    'docs/Agents.MD',
    'claude.md',
    'skills/x/run.sh',
    '.agents/skills/x/notes.txt',
    'deep/x/SKILL.md',
    '.g\u200dit/config',
  ])('a write of %s, which steers, asks without always, in accept edits too (J3)', async path => {
    expect(await outcomes('touch', () => ({ path }))).toEqual(GUARDED_WRITE)
  })

  it.each(['src/skills/list.ts', '.github/dependabot.yml', '.gitignore', 'src/hooks/use-x.ts', 'workflows/a.yml'])(
    'a write of %s is an ordinary one',
    async path => {
      expect(await outcomes('touch', () => ({ path }))).toEqual(EDIT)
    },
  )

  it("a write to the folder that the repository's settings name for hooks asks, as a hook does (J3)", async () => {
    const bench = await openGate({ mode: 'accept-edits', tools: TOOLS })
    await putTree(bench.dir, { '.git/config': '[core] hooksPath = first\n\tbare = false\n\thooksPath = tools/hooks\n' })
    expect(await outcome(bench, 'touch', { path: 'tools/hooks/pre-commit' })).toBe('asks without always')
    expect(await outcome(bench, 'touch', { path: 'first/pre-commit' })).toBe('asks without always')
    expect(await outcome(bench, 'touch', { path: 'tools/other' })).toBe('free')
  })

  it('a root that lies in a steering folder is an ordinary root', async () => {
    const bench = await openGate({ mode: 'accept-edits', tools: TOOLS })
    const root = join(bench.outside, '.claude', 'worktrees', 'w')
    await mkdir(root, { recursive: true })
    const agent = { ...bench.agent, cwd: root, roots: [root] }
    const verdict = await bench.permissions.decide({ name: 'touch', arguments: { path: 'a.ts' }, agent })
    expect(verdict.decision).toBe('allow')
  })
})
