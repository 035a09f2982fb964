import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { SANDBOX_ENVIRONMENT } from '../../src/gates/sandbox/secret-places.js'
import { json, says, startServer } from '../agent/model/provider/support.js'
import { HOST, startProxy } from '../network/support.js'
import type { Frame } from '../support/agent-process.js'
import { type CheckedAgent, cards, deckhand, makeDirectory, messageText, openAgent } from './support.js'
import { codeIn, PathPattern, tablesOf } from './trace-tables.js'

const root = resolve(import.meta.dirname, '../..')
const tables = tablesOf(readFileSync(join(root, 'docs/security.md'), 'utf8'))
const rows = (heading: string) => tables.get(heading) ?? []
const pathRows = rows('Files').map(([path = '']) => codeIn(path)[0] ?? '')
const [always = [], held = []] = rows('Environment of commands').map(([, names = '']) => codeIn(names))

/** Names that a key could have, of all sources, and one that no table has. */
const keyNames = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .flatMap(file => readFileSync(join(root, 'src', file), 'utf8').match(/\b[A-Z]+(?:_[A-Z]+)*_(?:KEY|TOKEN)\b/g) ?? [])
const OTHER = 'SOME_OTHER_KEY'

type Entry =
  | { type: 'path'; what: string; path: string }
  | { type: 'host'; what: string; host: string; port?: number }
  | { type: 'process'; file: string; args: string[]; variables: string[] }

it('a whole session writes, contacts and hides what docs/security.md says, and nothing else', async () => {
  const { places, env, trace } = makeMachine()
  const { state, config, workspace, outside } = places
  const models = json(200, { data: [{ id: 'm' }] })
  const provider = await startServer((response, request) =>
    (request.method === 'GET' ? models : says('Hello.'))(response, request),
  )
  const page = await startServer(json(200, {}))
  const server = await startServer(json(404, {}))
  const proxy = await startProxy(1, 502)
  const providers = { own: { baseUrl: provider.url, models: [] }, away: { baseUrl: `https://${HOST}/v1` } }
  const shipped = ['anthropic', 'deepseek', 'openai'].map(name => [name, { baseUrl: provider.url }])
  const settings = {
    permissions: { userCommands: 'ask' },
    providers: { ...providers, ...Object.fromEntries(shipped) },
  }
  const write = (name: string, value: object) => writeFileSync(join(config, name), JSON.stringify(value))
  write('config.yml', settings)
  write('held.yml', { ...settings, permissions: {}, sandbox: { mode: 'required' } })
  // A log at its limit, and answers that cannot be read.
  writeFileSync(join(state, 'deckhand.log'), '', { mode: 0o600 })
  truncateSync(join(state, 'deckhand.log'), 5 * 1024 * 1024 + 1)
  writeFileSync(join(state, 'permissions.json'), '{', { mode: 0o600 })

  const first = await openAgent('terminal_output', { env, stateDir: state })
  const mcpServers = [
    { name: 'm', command: 'm', args: [], env: [] },
    { type: 'http', name: 'h', url: server.url, headers: [] },
  ]
  const sessionId = await first.newSession(workspace, { mcpServers })
  const index = join(state, 'checkpoints', 'sessions', `${sessionId}.jsonl`)
  mkdirSync(join(index, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(index, `${' '.repeat(4 * 1024 * 1024)}\n`, { mode: 0o600 })
  for (const text of [
    '/read src/a.js',
    '/write sub/new.txt\n```\nnew\n```',
    '/edit path=src/a.js old_string=one new_string=two',
    '/undo',
    '/grep pattern=one',
    '/glob **/*.js',
    '/todo {"entries": [{"content": "Look", "status": "in_progress"}]}',
    '!touch made.txt && echo three >> src/a.js',
    '!touch made.txt',
    `/fetch ${page.url}`,
    `/read ${join(outside, 'x.txt')}`,
    `/write ${join(outside, 'y.txt')}\n\`\`\`\ny\n\`\`\``,
    'plain words',
  ]) {
    await promptWithYes(first, sessionId, text)
  }
  const shown = cards(first.updates(sessionId)).map(({ fields }) => fields)
  expect(shown.filter(({ status }) => status !== 'completed')).toEqual([])
  expect(asked(first).some(({ params }) => params.options.length === 4)).toBe(true)
  await first.request('session/set_mode', { sessionId, modeId: 'plan' })
  await first.end()

  const withModel = { ...env, DECKHAND_CONFIG: join(config, 'held.yml'), DECKHAND_MODEL: 'own/m' }
  const second = await openAgent('plain', { env: withModel, stateDir: state })
  await second.request('session/load', { sessionId, cwd: workspace, mcpServers: [] })
  const from = second.frames.length
  expect(provider.requests).toEqual([])
  await promptWithYes(second, sessionId, 'hello')
  expect(messageText(second.updates(sessionId, from))).toBe('Hello.')
  await promptWithYes(second, sessionId, '!true')
  const isHeld = cards(second.updates(sessionId, from))[0]?.fields.status === 'completed'
  expect((await second.request('session/list')).result.sessions).toHaveLength(1)
  const commands = { ...env, DECKHAND_STATE_DIR: state }
  const view = ['view', sessionId, '--html', join(places.directory, 'page')]
  expect(await deckhand(view, { env: commands })).toMatchObject({ stderr: '' })
  const create = ['create-plugin', 'tidy', '--dir', join(places.directory, 'tidy')]
  expect(await deckhand(create, { env: commands })).toMatchObject({ code: 0, stderr: '' })
  const kept = filesIn(state)
  await second.request('session/close', { sessionId })
  await second.request('session/delete', { sessionId })
  await second.end()

  expect(await deckhand(['login', 'own'], { env: commands, input: 'sk-1\n' })).toMatchObject({ code: 0, stderr: '' })
  const away = { ...commands, HTTPS_PROXY: proxy.url }
  expect((await deckhand(['login', 'away'], { env: away, input: 'sk-1\n' })).code).toBe(1)
  expect((await deckhand(['logout', 'own'], { env: commands })).code).toBe(0)

  const entries = readFileSync(trace, 'utf8')
    .trim()
    .split('\n')
    .map((line): Entry => JSON.parse(line))
  const paths = entries.filter(entry => entry.type === 'path')
  const patterns = pathRows.map(text => new PathPattern(text, places))
  // The row that says most stands for a path.
  const rowOf = (path: string) =>
    patterns.filter(pattern => pattern.matches(path)).sort((a, b) => b.text.length - a.text.length)[0]?.text
  const isFolder = ({ what, path }: { what: string; path: string }) =>
    /^(mkdir|mkdtemp|rm)/.test(what) && patterns.some(pattern => pattern.leadsThrough(path))
  const allowed = ['y.txt', 'z.txt'].map(name => join(outside, name))
  const others = paths.filter(entry => rowOf(entry.path) === undefined && !isFolder(entry))
  const isAllowed = (path: string) => allowed.includes(path) || /outside.\.deckhand-\w+\.tmp$/.test(path)
  expect(others.filter(({ path }) => !isAllowed(path))).toEqual([])

  const inWorkspace = paths.filter(({ path }) => rowOf(path) === '<workspace>/<file>').map(({ path }) => path)
  const changed = ['src/a.js', 'sub', 'sub/new.txt'].map(name => join(workspace, name))
  expect([...new Set(inWorkspace)].filter(path => !changed.includes(path))).toEqual([])
  const unseen = pathRows.filter(text => !paths.some(({ path }) => rowOf(path) === text))
  expect(unseen).toEqual([
    // Node writes these by itself.
    '<state>/compile-cache/<version>/<file>',
    // A workspace below a place for temporary files, as this one, leaves held commands without a folder of their own there.
    '<tmp>/deckhand-sandbox-<random>',
    '<tmp>/deckhand-demo-<random>',
  ])

  // What lies on the disk, whoever made it, and what of it is left.
  expect(kept.filter(path => rowOf(path) === undefined)).toEqual([])
  expect(filesIn(state).filter(path => path.includes(sessionId))).toEqual([])
  expect(filesIn(places.tmp)).toEqual([])
  if (process.platform !== 'win32') {
    expect([...filesIn(state), join(config, 'credentials.yml')].filter(path => statSync(path).mode & 0o077)).toEqual([])
  }

  const hosts = entries.filter(entry => entry.type === 'host')
  const known = {
    '<provider>': new URL(provider.url).host,
    '<page>': new URL(page.url).host,
    '<server>': new URL(server.url).host,
    '<proxy>': new URL(proxy.url).host,
  }
  expect(rows('Network').map(([host = '']) => codeIn(host)[0])).toEqual(Object.keys(known))
  const reached = hosts.map(({ what, host, port }) => `${what} ${host}${port === undefined ? '' : `:${port}`}`)
  expect(new Set(reached)).toEqual(new Set(Object.values(known).map(host => `connect ${host}`)))

  const removed = entries
    .filter(entry => entry.type === 'process')
    .filter(({ args }) => !args.includes('deckhand-watchdog'))
    .map(({ args, variables }) => ({
      isHeld: args.includes('--chdir'),
      names: Object.keys(env).filter(name => !variables.includes(name) && !/^(NODE_OPTIONS|TRACE_FILE)$/.test(name)),
    }))
  expect(removed.filter(entry => entry.isHeld).length > 0).toBe(isHeld)
  for (const { isHeld, names } of removed) {
    expect(names.sort()).toEqual([...always, ...(isHeld ? held : [])].sort())
  }
})

it('the list of variables that held commands do not get is the one of the code', () => {
  const list = Object.keys(SANDBOX_ENVIRONMENT).filter(name => SANDBOX_ENVIRONMENT[name] === undefined)
  expect([...held].sort()).toEqual(list.sort())
})

/** Directories that stand for a user's, and an environment that traces a program in them. */
function makeMachine() {
  const base = makeDirectory('machine')
  const place = (...names: string[]) => {
    const path = join(base, ...names)
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return path
  }
  const home = place('home')
  const places = {
    state: place('state'),
    config: place('home', '.config', 'deckhand'),
    workspace: place('workspace'),
    outside: place('outside'),
    tmp: place('tmp'),
    directory: place('directory'),
  }
  mkdirSync(join(places.workspace, 'src'))
  writeFileSync(join(places.workspace, 'src/a.js'), 'one\n')
  writeFileSync(join(places.outside, 'x.txt'), 'x\n')
  chmodSync(places.state, 0o700)
  const trace = join(base, 'trace.jsonl')
  const env: Record<string, string> = {
    ...Object.fromEntries([...keyNames, OTHER, ...always, ...held].map(name => [name, 'x'])),
    ...{ HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: join(home, '.config'), APPDATA: join(home, '.config') },
    ...{ TMPDIR: places.tmp, DECKHAND_CONFIG: join(places.config, 'config.yml') },
    ...{ NO_PROXY: '', HTTP_PROXY: '', HTTPS_PROXY: '', http_proxy: '', https_proxy: '', no_proxy: '' },
    TRACE_FILE: trace,
    NODE_OPTIONS: `--import ${pathToFileURL(join(root, 'fixtures/programs/trace.mjs')).href}`,
  }
  return { places, env, trace }
}

const asked = (agent: CheckedAgent): Frame[] =>
  agent.frames.filter(frame => frame.method === 'session/request_permission')

/** Prompts as a user who allows all, for good where that is offered for a command. */
async function promptWithYes(agent: CheckedAgent, sessionId: string, text: string): Promise<void> {
  const id = agent.start('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
  const answered = new Set(asked(agent))
  for (;;) {
    const frame = await agent.frame(each =>
      each.id === id && !each.method ? true : asked(agent).includes(each) && !answered.has(each),
    )
    if (!frame.method) return
    answered.add(frame)
    const always = text.startsWith('!') && frame.params.options.some((option: Frame) => option.kind === 'allow_always')
    const optionId = always ? 'allow_always' : 'allow_once'
    agent.send({ id: frame.id, result: { outcome: { outcome: 'selected', optionId } } })
  }
}

function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isDirectory())
    .map(entry => join(entry.parentPath, entry.name))
}
