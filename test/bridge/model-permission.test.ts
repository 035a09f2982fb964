import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { call, calls, Gate, say } from '../../fixtures/model-server/index.js'
import { cards } from '../support/cards.js'
import { always, answerQuestions, requestText } from '../support/conversation.js'
import { makeDirectory } from '../support/directory.js'
import { openLocalModelAgent, shareLocalModelAgent, startModel } from '../support/model-agent.js'
import { putTree } from '../support/tree.js'

const withOpenai = shareLocalModelAgent('openai')
const withAnthropic = shareLocalModelAgent('anthropic')
const models = [
  ['openai', withOpenai],
  ['anthropic', withAnthropic],
] as const

const HARM = calls(
  call('write', { path: 'new.txt', content: 'x\n' }),
  call('edit', { path: 'old.txt', old_string: 'old', new_string: 'new' }),
  call('bash', { command: 'touch ran' }),
  call('bash', { command: 'echo x > ran' }),
)

it.each([
  ['an error', { error: { code: -32601, message: 'Method not found' } }],
  ['an unknown option', { result: { outcome: { outcome: 'selected', optionId: 'yes' } } }],
  ['a reject', { result: { outcome: { outcome: 'selected', optionId: 'reject_once' } } }],
  ['nonsense', { result: 5 }],
])(
  'a client that answers each question with %s has nothing written and no command run, and the model goes on (B59)',
  async (_, answer) => {
    const cwd = makeDirectory()
    await putTree(cwd, { 'old.txt': 'old\n' })
    const { agent } = withOpenai(HARM, say('I see.'))
    const sessionId = await agent.newSession(cwd)
    const questions = answerQuestions(agent, sessionId, ({ id }) => {
      agent.send({ id, ...answer })
      return undefined
    })
    expect((await agent.prompt(sessionId, 'go')).result).toEqual({ stopReason: 'end_turn' })
    expect(questions).toHaveLength(4)
    expect(cards(agent.updates(sessionId)).map(({ fields }) => fields.status)).toEqual(Array(4).fill('failed'))
    expect(readdirSync(cwd)).toEqual(['old.txt'])
    expect(readFileSync(join(cwd, 'old.txt'), 'utf8')).toBe('old\n')
  },
)

it.each(models)(
  'the card of an edit shows its title and location before its new text has arrived (%s)',
  async (_, withModel) => {
    const cwd = makeDirectory()
    await putTree(cwd, { 'src/größe.ts': 'const a = 1\n' })
    const gate = new Gate()
    const edit = ['{"path":"src/größe.ts","old_string":"const a = 1","new_string":"const ', gate, 'b = \\"2\\""}']
    const { agent } = withModel(calls(call('edit', edit)), say('done'))
    const sessionId = await agent.newSession(cwd)
    answerQuestions(agent, sessionId)
    const turn = agent.start('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] })
    const early = await agent.frame(
      ({ params }) => params?.sessionId === sessionId && params.update?.sessionUpdate === 'tool_call',
    )
    expect(early.params.update).toMatchObject({
      title: expect.stringContaining('src/größe.ts'),
      kind: 'edit',
      status: 'pending',
      locations: [{ path: join(cwd, 'src/größe.ts') }],
    })
    expect(early.params.update.content ?? []).toEqual([])
    gate.open()
    expect((await agent.response(turn)).result).toEqual({ stopReason: 'end_turn' })
    expect(readFileSync(join(cwd, 'src/größe.ts'), 'utf8')).toBe('const b = "2"\n')
    const [card, ...others] = cards(agent.updates(sessionId))
    expect(others).toEqual([])
    expect(card?.fields).toMatchObject({ status: 'completed', content: [{ type: 'diff', newText: 'const b = "2"\n' }] })
  },
)

it('a day of forty calls asks a user who answers "always" four times at most', async () => {
  const cwd = makeDirectory()
  const files = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`src/m${n}.ts`, `export const m${n} = 0\n`]))
  await putTree(cwd, { ...files, 'package.json': '{"name":"x","scripts":{"test":"true","lint":"true"}}\n' })
  const bin = makeDirectory('bin')
  await putTree(bin, { npm: '#!/bin/sh\necho "npm $*"\n' })
  chmodSync(join(bin, 'npm'), 0o755)
  const read = (n: number) => call('read', { path: `src/m${n}.ts` })
  const edit = (n: number, from: number, to: number) =>
    call('edit', { path: `src/m${n}.ts`, old_string: `= ${from}`, new_string: `= ${to}` })
  const bash = (command: string) => call('bash', { command })
  const todo = (status: string) => call('todo', { entries: [{ content: 'Count up', status }] })
  const script = [
    calls(call('glob', { pattern: 'src/*.ts' }), bash('ls -la'), call('grep', { pattern: 'export' })),
    calls(todo('pending'), read(0), read(1), read(2), read(3)),
    calls(edit(0, 0, 1), edit(1, 0, 1), edit(2, 0, 1)),
    calls(bash('npm test'), bash('git --version'), bash('grep -rn "= 1" src | head -5')),
    calls(edit(0, 1, 2), call('write', { path: 'src/new.ts', content: 'export const fresh = 1\n' }), bash('npm test')),
    calls(bash('npm test -- m0'), todo('in_progress'), read(4), read(5), read(6)),
    calls(edit(4, 0, 1), edit(5, 0, 1), edit(6, 0, 1), bash('npm run lint')),
    calls(bash('npm run lint -- --fix'), bash('cat src/m4.ts && wc -l src/*.ts'), bash('npm test')),
    calls(call('grep', { pattern: 'fresh' }), read(7), edit(7, 0, 1), call('glob', { pattern: '**/*.json' })),
    calls(bash('npm test -- m7'), bash('npm run lint'), bash('find src -name "*.ts"'), bash('pwd')),
    calls(todo('completed'), edit(3, 0, 1), bash('npm test')),
  ]
  const count = script.reduce((sum, { parts }) => sum + parts.length, 0)
  const server = await startModel(...script, say('A good day.'))
  const agent = await openLocalModelAgent(server, 'openai', { env: { PATH: `${bin}:${process.env.PATH}` } })
  const sessionId = await agent.newSession(cwd)
  const questions = answerQuestions(agent, sessionId, always)
  expect((await agent.prompt(sessionId, 'work')).result).toEqual({ stopReason: 'end_turn' })
  expect(count).toBeGreaterThanOrEqual(40)
  const failed = cards(agent.updates(sessionId)).filter(({ fields }) => fields.status !== 'completed')
  expect(failed).toEqual([])
  expect(cards(agent.updates(sessionId))).toHaveLength(count)
  expect(questions.length).toBeLessThanOrEqual(4)
  expect(existsSync(join(cwd, 'src/new.ts'))).toBe(true)
})

it.each(models)(
  'arguments of every malformed kind fail as calls, and the model corrects itself (B80, %s)',
  async (_, withModel) => {
    const cwd = makeDirectory()
    await putTree(cwd, { 'a.txt': 'inside\n' })
    const malformed = [
      'null',
      '5',
      '[]',
      '{',
      '{}',
      '"a.txt"',
      '{"path":5}',
      '{"path":"a.txt"}}',
      'path=a.txt',
      '{"path":"a.txt",',
    ]
    const { agent, server } = withModel(
      calls(
        call('read', ''),
        ...malformed.map(text => call('read', text)),
        call('no_such_tool', { a: 1 }),
        call('no such.tool', { a: 1 }),
        call('edit', { path: 'a.txt' }),
        call('todo', { entries: 'all' }),
      ),
      calls(call('read', { path: 'a.txt', limit: null })),
      say('Now I have it.'),
    )
    const sessionId = await agent.newSession(cwd)
    const questions = answerQuestions(agent, sessionId)
    expect((await agent.prompt(sessionId, 'go')).result).toEqual({ stopReason: 'end_turn' })
    const statuses = cards(agent.updates(sessionId)).map(({ fields }) => fields.status)
    expect(statuses).toEqual([...Array(malformed.length + 5).fill('failed'), 'completed'])
    expect(questions).toEqual([])
    expect(requestText(server.requests[1]!)).toMatch(/path.{0,40}(required|missing|expected)/i)
    expect(requestText(server.requests[1]!)).toContain('no_such_tool')
    expect(requestText(server.requests[2]!)).toContain('inside')
  },
)
