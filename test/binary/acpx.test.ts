import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { CLI } from '../support/agent-process.js'
import { isRunning, until } from '../support/processes.js'
import { makeDirectory } from './support.js'

const acpx = join(dirname(createRequire(import.meta.url).resolve('acpx/package.json')), 'dist/cli.js')

interface Run {
  /** What it has printed so far. */
  output(): string
  ended: Promise<number | null>
}

/** acpx with our binary as its agent, in a home of its own. */
function client(home: string, cwd: string): (...args: string[]) => Run {
  const agent = `${JSON.stringify(process.execPath)} ${JSON.stringify(CLI)} acp`
  const env = {
    ...process.env,
    HOME: home,
    DECKHAND_STATE_DIR: join(home, 'state'),
    DECKHAND_CHECK: '1',
    NO_COLOR: '1',
  }
  return (...args) => {
    const options = ['--agent', agent, '--cwd', cwd, '--approve-all', '--ttl', '5', '--timeout', '60']
    const child = spawn(process.execPath, [acpx, ...options, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', chunk => {
        output += chunk
      })
    }
    return { output: () => output, ended: new Promise(done => child.once('close', code => done(code))) }
  }
}

it('a public client runs one prompt, and all it gets is JSON', async () => {
  const run = client(makeDirectory('home'), makeDirectory())('--format', 'json', '--json-strict', 'exec', '!echo hello')
  expect(await run.ended).toBe(0)
  const frames = run
    .output()
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(frames.at(-1)).toMatchObject({ result: { stopReason: 'end_turn' } })
  expect(run.output()).toContain('```console\\nhello\\n```')
})

it('a public client keeps a session, cancels in it, and lists it', async () => {
  const home = makeDirectory('home')
  const cwd = makeDirectory()
  // acpx keeps its socket there and leaves the directory behind.
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 10)
  onTestFinished(() => rmSync(join('/tmp', `acpx-${hash}`), { recursive: true, force: true }))
  const run = client(home, cwd)
  expect(await run('sessions', 'new').ended).toBe(0)
  const first = run('prompt', '!echo one > kept.txt; echo first done')
  expect(await first.ended).toBe(0)
  expect(first.output()).toMatch(/first done[\s\S]*\[done\] end_turn/)

  const long = run('prompt', '!echo $$ > pid; sleep 300')
  await until(() => readPid(cwd) > 0, 40_000)
  const pid = readPid(cwd)
  const cancel = run('cancel')
  expect(await cancel.ended).toBe(0)
  await long.ended
  expect(long.output()).toMatch(/cancelled/)
  await until(() => !isRunning(pid))

  const list = run('sessions', 'list')
  expect(await list.ended).toBe(0)
  expect(list.output()).toContain('!echo one > kept.txt; echo first done')
  expect(list.output()).toContain(cwd)
  expect(await run('sessions', 'close').ended).toBe(0)
})

function readPid(cwd: string): number {
  try {
    return Number(readFileSync(join(cwd, 'pid'), 'utf8'))
  } catch {
    return 0
  }
}
