import { exec as execShell, spawn } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Context } from 'cordis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { text } from '../../src/cards/index.js'
import { type ActiveExecution, HarnessError } from '../../src/registry/index.js'
import { isRunning } from '../support/processes.js'
import { plugin, problemOf, tool } from './broken-tools.js'

const cwdOf = ({ agent }: ActiveExecution) => agent?.cwd ?? ''
const node = (script: string) => [process.execPath, '-e', script] as const
const forever = 'setInterval(() => {}, 1000)'

describe('the check of what comes out', () => {
  const check = 'comes out as expected'
  const failing = tool({
    execute: async () => {
      throw new HarnessError('NO_MATCH', 'not there')
    },
  })

  it('says why a call failed that should not, and that one did not fail that should', async () => {
    expect(await problemOf(failing, check)).toBe('one: the call fails with NO_MATCH: not there')
    expect(await problemOf(failing, check, { expect: { code: 'NO_MATCH' } })).toBeUndefined()
    expect(await problemOf(failing, check, { expect: { code: 'NOT_FOUND' } })).toMatch(
      /expected the code NOT_FOUND, but/,
    )
    expect(await problemOf(tool(), check, { expect: { code: 'NO_MATCH' } })).toMatch(/but the call succeeds/)
  })

  it('compares text, card and files', async () => {
    const outcome = (expected: object) => problemOf(tool(), check, { expect: expected })
    expect(await outcome({ text: 'seen a.txt', files: { 'a.txt': 'one\ntwo\n', 'b.txt': null } })).toBeUndefined()
    expect(await outcome({ text: /SEEN/i })).toBeUndefined()
    expect(await outcome({ text: 'nothing' })).toMatch(/expected nothing in what the model gets, which is: seen a.txt/)
    expect(await outcome({ card: 'diff' })).toMatch(/expected a diff card of the result, got none/)
    expect(await outcome({ files: { 'a.txt': 'x' } })).toMatch(
      /expected a.txt to hold "x" after the call, got "one\\ntwo\\n"/,
    )
    expect(await outcome({ files: { 'a.txt': null } })).toMatch(/expected no file a.txt after the call/)
    expect(await outcome({ files: { 'b.txt': 'x' } })).toMatch(/expected the file b.txt after the call/)
  })

  it('asks a function of the sample', async () => {
    const asked = (title: string) =>
      problemOf(tool(), check, {
        expect: ({ callCard, files }) => expect([callCard?.title, files['a.txt']]).toEqual([title, 'one\ntwo\n']),
      })
    expect(await asked('Look')).toBeUndefined()
    expect(await asked('Other')).toMatch(/expected .* to deeply equal/)
  })
})

describe('the check of bounds', () => {
  const check = 'keeps its output within bounds'

  it('names text and meta that are too large', async () => {
    const long = tool({ execute: async () => [text('x'.repeat(200_000))] })
    expect(await problemOf(long, check)).toMatch(/the text for the model has .*more than 128.*: cut it/)
    expect(await problemOf(long, check, {}, { maxTextBytes: 300_000 })).toBeUndefined()
    const heavy = tool({ execute: async () => ({ content: [], meta: 'x'.repeat(2_000_000) }) })
    expect(await problemOf(heavy, check)).toMatch(/meta has .*keep what the card needs/)
    const picture = { type: 'image' as const, mimeType: 'image/png', data: 'x'.repeat(9_000_000) }
    expect(await problemOf(tool({ execute: async () => [picture] }), check)).toMatch(/the content has /)
  })
})

describe('the checks of a stop', () => {
  const started = 'stopped as soon as it has started'
  const atWork = 'stopped at work'
  const options = { abortGraceMs: 50 }

  it('name a tool that does not listen', async () => {
    const deaf = tool({ execute: () => new Promise(() => {}) })
    expect(await problemOf(deaf, atWork, { untilStopped: true }, options)).toMatch(/does not end within 50 ms/)
    expect(await problemOf(deaf, started, { untilStopped: true }, options)).toMatch(
      /one: stopped as soon as it has started, execute does not end within 50 ms\. Pass exec\.signal on/,
    )
  })

  it('name a tool that listens too late for a signal that has fired', async () => {
    const late = tool({
      execute: async (_args, { signal, progress }) => {
        await new Promise(resolve => setImmediate(resolve))
        progress({ content: [text('starting')] })
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    })
    expect(await problemOf(late, started, { untilStopped: true }, options)).toMatch(/look at signal\.aborted too/)
    expect(await problemOf(late, atWork, { untilStopped: true }, options)).toMatch(/stopped at the first thing it does/)
  })

  it('name a process that goes on, and take one that is killed', async () => {
    const starter = (kills: boolean) =>
      tool({
        execute: async (_args, exec) => {
          const child = await exec.launch(node(forever), { cwd: cwdOf(exec) })
          if (kills && exec.signal.aborted) await child.kill()
          exec.signal.throwIfAborted()
          return []
        },
      })
    expect(await problemOf(starter(false), atWork, { untilStopped: true })).toMatch(
      /leaves `.*setInterval.*` running: call kill\(\)/,
    )
    expect(await problemOf(starter(true), atWork, { untilStopped: true })).toBeUndefined()
  })
})

describe('the check of leaks', () => {
  const check = 'leaves nothing behind'

  it('names a listener on the signal and where it was added', async () => {
    const listening = tool({
      execute: async (_args, { signal }) => {
        signal.addEventListener('abort', () => {}, { once: true })
        return []
      },
    })
    expect(await problemOf(listening, check)).toMatch(
      /listener stays on exec\.signal .*calls\.test\.ts:\d+:\d+: remove it/,
    )
    const tidy = tool({
      execute: async (_args, { signal }) => {
        const stop = () => {}
        signal.addEventListener('abort', stop)
        signal.removeEventListener('abort', stop)
        return []
      },
    })
    expect(await problemOf(tidy, check)).toBeUndefined()
  })

  it('names a listener of the process and one of the registry', async () => {
    const stop = () => {}
    onTestFinished(() => void process.removeAllListeners('SIGUSR2'))
    const shouting = plugin(async () => {
      process.on('SIGUSR2', stop)
      return []
    })
    expect(await problemOf(shouting, check)).toMatch(
      /listener of process\.on\('SIGUSR2'\) is still there when the plugin is gone/,
    )
    const hanging = plugin(async ctx => {
      ctx.root.on('tools/change', stop)
      return []
    })
    expect(await problemOf(hanging, check)).toMatch(/listener of ctx\.on\('tools\/change'\) is still there/)
  })

  it('names a tool that outlives its plugin', async () => {
    const rooted = {
      name: 'rooted',
      inject: ['tools'],
      apply: (ctx: Context) => void ctx.root.get('tools')?.register(tool()),
    }
    expect(await problemOf(rooted, check)).toMatch(/The tool sound is still registered when its plugin is gone/)
  })

  it('names a process that runs on, and ends it', async () => {
    let pid = 0
    const spawning = tool({
      execute: async () => {
        pid = spawn(process.execPath, ['-e', forever], { stdio: 'ignore' }).pid ?? 0
        return []
      },
    })
    expect(await problemOf(spawning, check)).toMatch(
      /`.*setInterval.*` still runs when the plugin is gone: start processes with exec\.launch/,
    )
    await expect.poll(() => isRunning(pid)).toBe(false)
  })
})

describe('the check of effects', () => {
  const check = 'touches only what its effects declare'

  it('names what is read and written through ctx.files', async () => {
    const reading = plugin(async (ctx, { path }, exec) => [text((await ctx.files.read(exec.agent, path)).text ?? '')])
    expect(await problemOf(reading, check)).toBe('It reads a.txt, which effects does not declare: add it to reads.')
    const walking = plugin(async (ctx, _args, exec) => {
      for await (const _entry of await ctx.files.walk(exec.agent, '.')) break
      return []
    })
    expect(await problemOf(walking, check)).toMatch(/It reads \., which/)
    const writing = plugin(
      async (ctx, { path }, exec) => {
        await ctx.files.write(exec.agent, path, Buffer.from('one\ntwo\n'))
        await ctx.files.remove(exec.agent, 'gone.txt')
        return []
      },
      { effects: ({ path }) => ({ reads: [path] }) },
    )
    expect(await problemOf(writing, check)).toBe(
      ['a.txt', 'gone.txt']
        .map(path => `It writes ${path}, which effects does not declare: add it to writes.`)
        .join('\n'),
    )
  })

  it('takes what lies below a declared directory, and everything of a tool without effects', async () => {
    const writing = (effects: object) =>
      plugin(
        async (ctx, _args, exec) => {
          await ctx.files.write(exec.agent, 'src/deep/b.txt', Buffer.from('x'))
          return []
        },
        { effects: undefined, ...effects },
      )
    expect(await problemOf(writing({ effects: () => ({ writes: ['src'] }) }), check)).toBeUndefined()
    expect(await problemOf(writing({}), check)).toBeUndefined()
    expect(await problemOf(writing({ effects: () => ({ writes: ['sr'] }) }), check)).toMatch(
      /It writes src.deep.b\.txt/,
    )
  })

  it('names what is written, removed and made by other means, beside the workspace too', async () => {
    const direct = tool({
      execute: async ({ path }, exec) => {
        await rm(join(cwdOf(exec), path))
        await writeFile(join(cwdOf(exec), '../beside.txt'), 'x')
        await mkdir(join(cwdOf(exec), 'empty'))
        return []
      },
    })
    const problem = await problemOf(direct, check)
    for (const path of ['a.txt', join('..', 'beside.txt'), 'empty'])
      expect(problem).toContain(`It writes ${path}, which`)
    const quiet = tool({ execute: async ({ path }, exec) => [text(await readFile(join(cwdOf(exec), path), 'utf8'))] })
    expect(await problemOf(quiet, check)).toBeUndefined()
  })

  it('names a command that is not declared, another one, and another directory', async () => {
    const running = (effects: object, cwd = '.') =>
      tool({
        execute: async (_args, exec) => {
          await mkdir(join(cwdOf(exec), 'sub'))
          await (await exec.launch(['node', '-e', 'process.exit()'], { cwd: join(cwdOf(exec), cwd) })).exited
          return []
        },
        effects: () => effects,
      })
    expect(await problemOf(running({}), check)).toMatch(
      /It runs `node -e .*but effects declares no command: give it as runs/,
    )
    expect(await problemOf(running({ runs: 'node --test' }), check)).toMatch(
      /declares runs: "node --test"\. It must be the command/,
    )
    expect(await problemOf(running({ runs: "node -e 'process.exit()'" }), check)).toBeUndefined()
    expect(await problemOf(running({ runs: "cd x && node -e 'process.exit()'" }), check)).toBeUndefined()
    expect(await problemOf(running({ runs: "node -e 'process.exit()'" }, 'sub'), check)).toMatch(
      / in sub, but effects says \./,
    )
    expect(await problemOf(running({ runs: "node -e 'process.exit()'", runsIn: 'sub' }, 'sub'), check)).toBeUndefined()
  })

  it('names a process that is started without exec.launch', async () => {
    const own = tool({
      execute: () => new Promise(resolve => execShell('exit 0', () => resolve([]))),
      effects: () => ({ runs: 'exit 0' }),
    })
    expect(await problemOf(own, check)).toMatch(/It starts `.*exit 0.*` by itself: start it with exec\.launch/)
  })

  it('names hosts that are called', async () => {
    const server = createServer((_request, response) => response.end('x')).listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    onTestFinished(() => void server.close().closeAllConnections())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const fetching = (effects: object) =>
      tool({
        execute: async (_args, { signal }) => [text(await (await fetch(url, { signal })).text())],
        effects: () => effects,
      })
    expect(await problemOf(fetching({}), check)).toBe(
      'It calls the host 127.0.0.1, which effects does not declare: add it to network.',
    )
    expect(await problemOf(fetching({ network: ['127.0.0.1'] }), check)).toBeUndefined()
    expect(await problemOf(fetching({ network: true }), check)).toBeUndefined()
    expect(await problemOf(fetching({ network: true }), 'leaves nothing behind')).toBeUndefined()
    const getting = tool({
      execute: () => new Promise(resolve => get(url, answer => answer.resume().on('end', () => resolve([])))),
    })
    expect(await problemOf(getting, check)).toMatch(/calls the host 127\.0\.0\.1/)
  })
})
