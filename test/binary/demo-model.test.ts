import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { call, calls, Gate, say, speak, think } from '../../fixtures/model-server/index.js'
import { CLI } from '../support/agent-process.js'
import { modelEnv, requestText, startModel } from './model-support.js'
import { deckhand, makeDirectory } from './support.js'

const RUN = calls(call('bash', { command: 'node test.js', description: 'Run the test' }))
const FIX = { path: 'src/greet.js', old_string: "'Hello ' + name", new_string: "'Hello, ' + name + '!'" }

/** The demo with a model behind this server, its output piped. */
async function demo(server: Awaited<ReturnType<typeof startModel>> | undefined, args: string[] = [], options = {}) {
  const temp = makeDirectory('tmp')
  const env = modelEnv(server, 'openai', makeDirectory('home'), options)
  const result = await deckhand(['demo', '--model', ...args], { env: { ...env, TMPDIR: temp } })
  return { ...result, left: readdirSync(temp) }
}

describe('deckhand demo --model in a pipe', () => {
  it('lets the model fix a test, allows what stays in the scratch project, and shows the thread again', async () => {
    const server = await startModel(
      { parts: [think('First the test.'), speak('I run the test.'), ...RUN.parts] },
      calls(call('ask_user', { question: 'With a comma?', options: ['yes', 'no'] })),
      calls(call('read', { path: 'src/greet.js' })),
      calls(call('edit', FIX)),
      calls(call('bash', { command: 'touch ../elsewhere', description: 'Leave' })),
      RUN,
      say('The test passes now: the greeting lacked its comma.'),
    )
    const { code, stdout, stderr, left } = await demo(server)
    expect(stderr).toBe('')
    expect(stdout).toContain('> The test of this project fails.')
    expect(stdout).toContain('First the test.')
    expect(stdout).toContain('I run the test.\n')
    expect(stdout).toMatch(/│ greet: expected "Hello, Ada!", got "Hello Ada"/)
    expect(stdout).toMatch(/\d \+ {3}return 'Hello, ' \+ name \+ '!'/)
    expect(stdout).toMatch(/Asked: .*node test\.js.*allowed once, since it stays in the scratch project/)
    expect(stdout).toMatch(/Asked: .*touch \.\.\/elsewhere.*refused, since it could leave the scratch project/)
    expect(stdout).toMatch(/Asked: With a comma\?.*answered "yes"/)
    expect(stdout).toContain('6 tool calls. The thread was closed, reopened in a new process and shows the same cards.')
    expect(code).toBe(0)
    expect(left).toEqual([])
    expect(requestText(server.requests[2]!)).toContain('The user answers: yes')
    expect(requestText(server.requests[5]!)).toContain('The user refused this call')
  })

  it('says so, with code 1, if the test does not pass in the end', async () => {
    const { code, stdout } = await demo(await startModel(RUN, say('Too hard.')))
    expect(stdout).toContain('The task was not done')
    expect(code).toBe(1)
  })

  it('names what to do, with code 1, without a model, and for one that is none', async () => {
    const [none, wrong] = await Promise.all([demo(undefined), demo(undefined, ['nobody/none'])])
    expect([none.code, none.stdout]).toEqual([1, ''])
    expect(none.stderr).toMatch(/^deckhand: the demo has no model to talk to\. .*deckhand login.*\n$/)
    expect([wrong.code, wrong.stdout]).toEqual([1, ''])
    expect(wrong.stderr).toMatch(/^deckhand: --model names the unknown provider "nobody".*\n$/)
  })

  it.skipIf(process.platform === 'win32').each([1, 2])('ends with code 130 at Ctrl-C, %i times', async times => {
    const server = await startModel(say('', { hold: new Gate() }))
    const temp = makeDirectory('tmp')
    const env = { ...process.env, ...modelEnv(server, 'openai', makeDirectory('home')), TMPDIR: temp }
    const child = spawn(process.execPath, [CLI, 'demo', '--model'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let shown = ''
    child.stdout.on('data', chunk => {
      shown += chunk
    })
    const ended = new Promise(resolve => child.once('close', resolve))
    const { over } = await server.request(0)
    for (let time = 0; time < times; time++) child.kill('SIGINT')
    // The request is given up, whole as its answer never was.
    expect(await over).toBe(false)
    expect(await ended).toBe(130)
    if (times === 1) expect(shown).toMatch(/Cancelled\..*the same cards/s)
    expect(readdirSync(temp)).toEqual([])
  })

  it('ends with the reason and code 1 if the key is rejected', async () => {
    const { code, stderr, left } = await demo(await startModel(), [], { key: 'sk-wrong' })
    expect(stderr).toMatch(/^deckhand: .*key.*\n$/)
    expect(stderr).not.toContain('sk-wrong')
    expect(code).toBe(1)
    expect(left).toEqual([])
  })
})
