import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from 'cordis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { launcherPlugin } from '../../src/workspace/launch.js'

const programs = join(import.meta.dirname, '../../fixtures/programs')
let ctx: Context
let cwd: string

beforeEach(async () => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'launch-')))
  ctx = new Context()
  await ctx.plugin(launcherPlugin, { keyVariables: ['OUR_PROVIDER_KEY'] })
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await ctx.fiber.dispose()
  rmSync(cwd, { recursive: true })
})

type Launch = Context['launcher']['launch']

async function run(command: Parameters<Launch>[1], options: Partial<Parameters<Launch>[2]> = {}) {
  const chunks = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] }
  const child = await ctx.launcher.launch('s1', command, {
    cwd,
    onOutput: (chunk, stream) => chunks[stream].push(chunk),
    ...options,
  })
  const exit = await child.exited
  return { exit, stdout: Buffer.concat(chunks.stdout), stderr: Buffer.concat(chunks.stderr).toString() }
}

const sh = (script: string) => ['sh', '-c', script] as const

describe('launch', () => {
  it('delivers both streams and the exit code (B34)', async () => {
    const { exit, stdout, stderr } = await run(sh('echo out; echo err >&2; exit 3'))
    expect([exit, stdout.toString(), stderr]).toEqual([{ exitCode: 3 }, 'out\n', 'err\n'])
  })

  it('waits with the next piece of a stream for a receiver that takes its time, and loses none at the exit', async () => {
    let isBusy = false
    let bytes = 0
    const overlaps: number[] = []
    const onOutput = async (chunk: Uint8Array) => {
      if (isBusy) overlaps.push(bytes)
      isBusy = true
      await new Promise(resolve => setTimeout(resolve, 5))
      bytes += chunk.length
      isBusy = false
    }
    await run(['head', '-c', '600000', '/dev/zero'], { onOutput })
    expect([bytes, overlaps]).toEqual([600_000, []])
  })

  it('names the signal that ended the process (B34)', async () => {
    expect((await run(sh('kill -9 $$'))).exit).toEqual({ signal: 'SIGKILL' })
  })

  it('starts in the given directory, also by name for the shell', async () => {
    expect((await run(sh('pwd'))).stdout.toString()).toBe(`${cwd}\n`)
  })

  it('gives an end of input at once (B27)', async () => {
    expect(await run(['cat'])).toMatchObject({ exit: { exitCode: 0 }, stderr: '' })
  })

  it('closes stdin after the given input', async () => {
    const input = '你\n'.repeat(100_000)
    expect((await run(['cat'], { input })).stdout.toString()).toBe(input)
  })

  it('takes a process that does not read its input for no failure', async () => {
    expect((await run(['true'], { input: 'x'.repeat(5_000_000) })).exit).toEqual({ exitCode: 0 })
  })

  it('leaves a process no terminal to ask on', async () => {
    const { exit, stderr } = await run(['sh', join(programs, 'ask-on-tty.sh')])
    expect(exit).toEqual({ exitCode: 7 })
    expect(stderr).toContain('no terminal to ask on')
  })

  it('delivers 20 MB that were written right before the exit, to a slow reader', async () => {
    const total = 20_000_000
    let bytes = 0
    let last = ''
    const { exit } = await run(['node', join(programs, 'write-and-exit.mjs'), String(total)], {
      onOutput: chunk => {
        bytes += chunk.length
        last = Buffer.from(chunk.subarray(-10)).toString()
        for (const end = performance.now() + 1; performance.now() < end; );
      },
    })
    expect(exit).toEqual({ exitCode: 0 })
    expect(bytes).toBe(total)
    expect(last).toBe(`${String(total / 10 - 1).padStart(9, '0')}\n`)
  })

  it('delivers what stood in the pipe at the exit although a child holds the pipe (B23)', async () => {
    let bytes = 0
    const child = ctx.launcher.launch('s1', sh('sleep 30 & head -c 150000 /dev/zero'), {
      cwd,
      onOutput: chunk => {
        bytes += chunk.length
      },
    })
    const { exited } = await child
    // The process exits while nobody reads.
    for (const end = performance.now() + 60; performance.now() < end; );
    expect(await exited).toEqual({ exitCode: 0 })
    expect(bytes).toBe(150_000)
  })

  it('refuses a directory that is missing or none, before it starts anything', async () => {
    writeFileSync(join(cwd, 'file'), '')
    await expect(run(['touch', 'made'], { cwd: join(cwd, 'gone') })).rejects.toMatchObject({
      code: 'MISSING_CWD',
      message: `The working directory ${join(cwd, 'gone')} does not exist.`,
    })
    await expect(run(['touch', 'made'], { cwd: join(cwd, 'file') })).rejects.toMatchObject({ code: 'MISSING_CWD' })
  })

  it.each([
    ['no-such-program', /Cannot start no-such-program: there is no such program on PATH\./],
    ['/', /Cannot start \/: it is not executable\./],
    ['a\0b', /Cannot start a\\0b: .*NUL/],
  ])('says why %j cannot start', async (file, message) => {
    await expect(run([file])).rejects.toMatchObject({ code: 'SPAWN_FAILED', message: expect.stringMatching(message) })
  })

  it('says so when the arguments are too long', async () => {
    await expect(run(['true', 'x'.repeat(4_000_000)])).rejects.toMatchObject({ code: 'SPAWN_FAILED' })
  })

  it('removes the keys of providers and keeps the rest of the environment (B64)', async () => {
    for (const name of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'DEEPSEEK_API_KEY', 'OUR_PROVIDER_KEY']) {
      vi.stubEnv(name, 'sk-secret')
    }
    vi.stubEnv('KEPT', 'yes')
    vi.stubEnv('REMOVED', 'yes')
    const env = { OPENAI_API_KEY: 'sk-secret', REMOVED: undefined, ADDED: 'yes' }
    const lines = (await run(['env'], { env })).stdout.toString().split('\n')
    expect(lines.filter(line => /API_KEY|PROVIDER_KEY|REMOVED|secret/.test(line))).toEqual([])
    expect(lines).toEqual(expect.arrayContaining([`PATH=${process.env.PATH}`, 'KEPT=yes', 'ADDED=yes']))
  })
})
