import { describe, expect, it } from 'vitest'
import { HarnessError, text } from '../../../src/cards/index.js'
import { rawTool } from '../../registry/support.js'
import { outline } from '../turn-support.js'
import { asks, finish, openModelBench, says, sketch, startModelRegistry, thinks } from './support.js'

async function benchWithTools(...[answers, options]: Parameters<typeof openModelBench>) {
  const ctx = await startModelRegistry()
  ctx.tools.register(rawTool('ok'))
  ctx.tools.register(
    rawTool('strict', {
      validate: args => {
        if (typeof args.path !== 'string') throw new HarnessError('INVALID_ARGS', 'path: expected string')
      },
    }),
  )
  return openModelBench(answers, { ...options, ctx })
}

describe('a turn with a model', () => {
  it('tells thoughts and words, runs the calls, sends the results back, and ends when the model stops', async () => {
    const bench = await benchWithTools([
      [
        thinks('hm'),
        { type: 'thought-end', id: 'b1', meta: { p: 1 } },
        says('I look.'),
        ...asks('m1', 'ok', '{}'),
        finish('tool-calls'),
      ],
      [says('Done.'), finish()],
    ])
    expect(await bench.prompt('go')).toEqual({ stopReason: 'end_turn' })
    expect(outline(bench.events).slice(2)).toEqual([
      'assistant/thought hm',
      'assistant/thought ',
      'assistant/message I look.',
      'tool/call c1 ok',
      'tool/running c1',
      'tool/result c1 ok',
      'assistant/message Done.',
      'turn/end end_turn',
    ])
    expect(sketch(bench.requests[0]!)).toEqual(['user: go'])
    expect(sketch(bench.requests[1]!)).toEqual(['user: go', 'assistant: <hm> I look. ok(m1)', 'tool: m1=text'])
    expect(bench.requests[0]?.tools.map(({ name }) => name)).toEqual(['ok', 'strict'])
  })

  it('goes on with the conversation at the next prompt, and what was sent is the start of what is sent', async () => {
    const bench = await benchWithTools([
      [...asks('m1', 'ok', '{}'), finish('tool-calls')],
      [says('One.'), finish()],
      [...asks('m1', 'ok', '{}'), finish('tool-calls')],
      [says('Two.'), finish()],
    ])
    await bench.prompt('first')
    await bench.prompt('second')
    expect(sketch(bench.requests[3]!)).toEqual([
      'user: first',
      'assistant: ok(m1)',
      'tool: m1=text',
      'assistant: One.',
      'user: second',
      'assistant: ok(c2)',
      'tool: c2=text',
    ])
    for (const [index, { prompt }] of bench.requests.entries()) {
      expect(bench.requests[index + 1]?.prompt.slice(0, prompt.length) ?? prompt).toEqual(prompt)
    }
    expect(new Set(bench.requests.map(({ system }) => system)).size).toBe(1)
  })

  it('gives each piece of a message its messageId, and each message its own', async () => {
    const bench = await benchWithTools([
      [says('a'), thinks('t'), says('b'), ...asks('m', 'ok', '{}'), finish()],
      [says('c'), finish()],
    ])
    await bench.prompt('go')
    const ids = bench.events.flatMap(event => (event.type === 'assistant/message' ? [event.messageId] : []))
    expect(ids[0]).toBe(ids[1])
    expect(ids[2]).not.toBe(ids[0])
  })

  it.each([
    ['{"path": ', /not valid JSON/],
    ['[1]', /must be a JSON object/],
    ['5', /must be a JSON object/],
    ['{}', /path: expected string/],
    ['', /path: expected string/],
    ['null', /path: expected string/],
  ])('lets the model correct the arguments %j (B80)', async (args, problem) => {
    const bench = await benchWithTools([
      [...asks('m1', 'strict', args), finish('tool-calls')],
      [...asks('m2', 'strict', '{"path": "a"}'), finish('tool-calls')],
      [says('ok'), finish()],
    ])
    expect(await bench.prompt('go')).toEqual({ stopReason: 'end_turn' })
    expect(outline(bench.events)).toContain('tool/result c1 INVALID_ARGS')
    expect(outline(bench.events)).toContain('tool/result c2 ok')
    expect(bench.events.find(event => event.type === 'tool/call')).toMatchObject({ arguments: args })
    expect(JSON.stringify(bench.requests[1]?.prompt.at(-1))).toMatch(problem)
  })

  it('lets the model correct the name of a tool', async () => {
    const bench = await benchWithTools([
      [...asks('m1', 'nope', '{}'), finish()],
      [says('ok'), finish()],
    ])
    await bench.prompt('go')
    expect(outline(bench.events)).toContain('tool/result c1 UNKNOWN_TOOL')
    expect(JSON.stringify(bench.requests[1]?.prompt.at(-1))).toContain('Tools: ok, strict.')
  })

  it('reports a limit of the answer, and runs no call of an answer that was cut', async () => {
    const bench = await benchWithTools([[says('long'), ...asks('m1', 'ok', '{"a'), finish('length')]])
    expect(await bench.prompt('go')).toEqual({ stopReason: 'max_tokens' })
    expect(outline(bench.events).slice(2)).toEqual(['assistant/message long', 'turn/end max_tokens'])
  })

  it('ends at the limit of requests, with a line that says so', async () => {
    const endless = Array.from({ length: 3 }, () => [...asks('m', 'ok', '{}'), finish('tool-calls')])
    const bench = await benchWithTools(endless, { maxSteps: 3 })
    expect(await bench.prompt('go')).toEqual({ stopReason: 'max_turn_requests' })
    expect(outline(bench.events).at(-2)).toMatch(/^note .*3 requests/)
    expect(bench.requests).toHaveLength(3)
  })

  it('says that an answer was stopped for its content, or is empty, as a line that the model never reads', async () => {
    const bench = await benchWithTools([[finish('content-filter')], [finish()], [says('ok'), finish()]])
    expect(await bench.prompt('a')).toEqual({ stopReason: 'end_turn' })
    expect(await bench.prompt('b')).toEqual({ stopReason: 'end_turn' })
    await bench.prompt('c')
    expect(outline(bench.events).filter(line => line.startsWith('note'))).toEqual([
      expect.stringMatching(/for its content/),
      'note The model gave an empty answer.',
    ])
    expect(sketch(bench.requests[2]!)).toEqual(['user: a \n\nb \n\nc'])
  })

  it('counts tokens and dollars', async () => {
    const price = { input: 1, output: 10, cacheRead: 0.1 }
    const usage = { input: 1_000_000, output: 100_000, cacheRead: 500_000 }
    const bench = await benchWithTools(
      [
        [...asks('m', 'ok', '{}'), finish('tool-calls', usage)],
        [says('ok'), finish('stop', usage)],
      ],
      { facts: { contextSize: 2_000_000, price } },
    )
    await bench.prompt('go')
    const [first, second] = bench.events.filter(event => event.type === 'usage')
    expect(first).toEqual({ type: 'usage', used: 1_100_000, size: 2_000_000, cost: expect.closeTo(1.55) })
    expect(second).toMatchObject({ cost: expect.closeTo(3.1) })
  })

  it('reads mentions and images as a model does', async () => {
    const bench = await benchWithTools([[says('ok'), finish()]])
    await bench.prompt([
      text('look at'),
      { type: 'resource_link', uri: 'file:///w/hello%20world%23.txt', name: 'x' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    ])
    expect(sketch(bench.requests[0]!)[0]).toBe('user: look at /w/hello world#.txt [image/png]')
  })
})

describe("the user's own commands", () => {
  it('run without the model and end the turn; the model reads later what came of them', async () => {
    const bench = await benchWithTools([[says('I see.'), finish()]])
    bench.ctx.tools.register(
      rawTool('bash', {
        parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
      }),
    )
    expect(await bench.prompt('!ls')).toEqual({ stopReason: 'end_turn' })
    expect(await bench.prompt('/call ok')).toEqual({ stopReason: 'end_turn' })
    expect(bench.requests).toEqual([])
    await bench.prompt('well?')
    const [said = ''] = sketch(bench.requests[0]!)
    expect(said).toMatch(/^user: !ls[\s\S]*I ran the tool bash[\s\S]*\/call ok[\s\S]*I ran the tool ok[\s\S]*well\?$/)
  })

  it.each(['![shot](a.png) fix this', '/etc/hosts lacks a line', '/ok write a test for x', '/write', 'a\n!ls'])(
    'are not found in %j, which goes to the model unchanged (J1)',
    async words => {
      const bench = await benchWithTools([[says('ok'), finish()]])
      await bench.prompt(words)
      expect(sketch(bench.requests[0]!)).toEqual([`user: ${words}`])
    },
  )

  it('are answered with their form if one is wrong, and nothing reaches the model', async () => {
    const bench = await benchWithTools([])
    await bench.prompt('/call nope x')
    expect(outline(bench.events).at(-2)).toContain('no tool is named nope')
  })
})
