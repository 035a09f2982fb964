import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ConsoleDriverOptions, createConsoleDriver, type SessionCommand } from '../../../src/agent/index.js'
import { text } from '../../../src/cards/index.js'
import { openTurnBench, outline } from '../turn-support.js'
import { consoleTools } from './console-tools.js'

const agent = { sessionId: 's', cwd: '/w', roots: ['/w'] }

async function open(options: Partial<ConsoleDriverOptions> = {}) {
  const bench = await openTurnBench()
  for (const tool of consoleTools) bench.ctx.tools.register(tool)
  const driver = createConsoleDriver({ tools: bench.ctx.tools, commandTool: 'shell', ...options })
  const run = async (prompt: string) => {
    bench.events.length = 0
    await bench.run(() => expect.fail('the script is not run'), { driver, prompt: [text(prompt)] })
    return outline(bench.events).slice(2, -1)
  }
  return { bench, driver, run }
}

const said = (events: string[]) => events.join('\n').replace('assistant/message ', '')

describe('the console driver', () => {
  it('runs the commands of a prompt one after another, also after a failure', async () => {
    const { run } = await open()
    expect(await run('!ls\n/read\n/fails\n/ok')).toEqual([
      'tool/call c1 shell',
      'tool/running c1',
      'tool/result c1 ok',
      'tool/call c2 read',
      'tool/running c2',
      'tool/result c2 ok',
      'tool/call c3 fails',
      'tool/running c3',
      'tool/result c3 TOOL_FAILED',
      'tool/call c4 ok',
      'tool/running c4',
      'tool/result c4 ok',
    ])
  })

  it('runs no further command once the turn is cancelled (B53)', async () => {
    const { bench, run } = await open()
    setImmediate(bench.cancel)
    expect(await run('/hangs\n/ok')).toEqual(['tool/call c1 hangs', 'tool/running c1', 'tool/result c1 ABORTED'])
  })

  it('gives calls of the user the words of the prompt as arguments', async () => {
    const { bench, run } = await open()
    await run('!ls -la')
    expect(bench.events.find(event => event.type === 'tool/call')).toMatchObject({
      name: 'shell',
      arguments: { command: 'ls -la' },
      origin: 'user',
    })
  })

  it('answers a wrong line with its number and the right form', async () => {
    const { run } = await open()
    expect(said(await run('!ls\n/write a.txt\n```\nx'))).toBe(
      'Line 3: this fence is not closed. Nothing was run.\n\nThe right form: `/write PATH + one fenced block`',
    )
  })

  it('answers text with how to configure a model and three commands to try', async () => {
    const { run } = await open()
    const answer = said(await run('fix the tests'))
    expect(answer).toContain('No model is configured')
    expect(answer).toContain('DECKHAND_MODEL')
    expect(answer.match(/^- `[!/]/gm)).toHaveLength(3)
  })

  it('knows a tool that was registered later', async () => {
    const { bench, run } = await open()
    const dispose = bench.ctx.tools.register({ ...consoleTools[1]!, name: 'late' })
    expect(await run('/late x')).toContain('tool/result c1 ok')
    dispose()
    expect(said(await run('/late x'))).toMatch(/^There is no command `\/late`\.\n\nNo model is configured/)
  })
})

it('says of a name that is not known that it may be one of the tools on their way', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { bench, run } = await open()
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  bench.ctx.tools.expect(agent.sessionId, promise)
  const answer = run('/call slow x')
  await vi.advanceTimersByTimeAsync(3000)
  expect(said(await answer)).toMatch(/^Line 1: no tool is named slow.* on their way: try again/)
  expect(said(await run('/slow x'))).toMatch(/^There is no command `\/slow`.* on their way: try again/)
  resolve()
  await promise
  expect(said(await run('/slow x'))).not.toContain('on their way')
})

describe('session commands', () => {
  it('list the tools with a line to type for each', async () => {
    const { run } = await open()
    const lines = said(await run('/tools')).split('\n')
    expect(lines).toContain('- `/edit PATH + two fenced blocks`: About edit')
    expect(lines).toContain('- `/job list|kill`: About job')
    expect(lines).toContain('- `/search query=QUERY limit=LIMIT`: About search')
    expect(lines).toContain('- `/status [name=value …]`: About status')
    expect(lines).toContain('- `/ping`: About ping')
  })

  it('show the forms', async () => {
    const { run } = await open()
    const answer = said(await run('/help'))
    for (const form of ['`!command`', '`/call NAME', '`/tools`', '`/help`', 'fenced blocks']) {
      expect(answer).toContain(form)
    }
    expect(answer).toContain('````\n/write PATH\n```\ntext\n```\n````')
  })

  it('can be added', async () => {
    const undo: SessionCommand = { name: 'undo', description: 'Undo', run: async turn => turn.agent.cwd }
    const { run, driver } = await open({ sessionCommands: [undo] })
    expect(await run('/undo')).toEqual(['assistant/message /w'])
    expect(driver.commands?.(agent).map(command => command.name)).toContain('undo')
  })

  it('can stand for a call', async () => {
    const check: SessionCommand = { name: 'check', description: 'Check', call: { name: 'ping', arguments: {} } }
    const { run } = await open({ sessionCommands: [check] })
    expect(await run('/check')).toEqual(['tool/call c1 ping', 'tool/running c1', 'tool/result c1 ok'])
  })
})

describe('the slash menu', () => {
  it('has the tools, /call and the session commands', async () => {
    const { driver } = await open({ advertises: tool => tool.name === 'write' })
    expect(driver.commands?.(agent)).toEqual([
      {
        name: 'write',
        description: 'About write: /write PATH + one fenced block',
        hint: '/write PATH + one fenced block',
      },
      {
        name: 'call',
        description: 'Run any registered tool: /call NAME, then its arguments',
        hint: '/call NAME, then its arguments',
      },
      { name: 'help', description: 'How to type commands: /help' },
      { name: 'tools', description: 'The tools and how to call them: /tools' },
    ])
  })

  it('asks for an argument only where one is required', async () => {
    const { driver } = await open()
    const withHint = driver.commands?.(agent).filter(command => command.hint !== undefined)
    expect(withHint?.map(command => command.name)).toEqual([
      'shell',
      'read',
      'write',
      'edit',
      'job',
      'todo',
      'search',
      'call',
    ])
  })

  it('does not offer a tool that a word of the console hides', async () => {
    const { bench, driver, run } = await open()
    bench.ctx.tools.register({ ...consoleTools[1]!, name: 'help' })
    expect(driver.commands?.(agent).filter(command => command.name === 'help')).toHaveLength(1)
    expect(await run('/call help x')).toContain('tool/call c1 help')
  })
})
