import { describe, expect, it } from 'vitest'
import { HarnessError, text } from '../../../src/cards/index.js'
import { History } from '../../../src/session/index.js'
import { rawTool } from '../../registry/support.js'
import { outline } from '../turn-support.js'
import { asks, finish, openModelBench, says, sketch, startModelRegistry } from './support.js'

const tooLong = new HarnessError('MODEL_CONTEXT_TOO_LONG', 'Too long.')
const near = { input: 9000, output: 1 }
const facts = { contextSize: 10_000 }

async function benchWithTools(...[answers, options]: Parameters<typeof openModelBench>) {
  const ctx = await startModelRegistry()
  ctx.tools.register(rawTool('ok'))
  ctx.tools.register(rawTool('big', { execute: async () => [text('x'.repeat(5000))] }))
  return openModelBench(answers, { ...options, ctx })
}

/** The history as a load would make it from the events. */
function rebuilt(events: Parameters<History['add']>[0][]): ReturnType<History['entries']> {
  const history = new History()
  for (const event of events) history.add(event)
  return history.entries()
}

describe('a conversation near the end of the window', () => {
  it('goes on from a summary, with the prompt that has no answer yet', async () => {
    const bench = await benchWithTools(
      [
        [says('Hello.'), finish('stop', near)],
        [says('They greeted.'), finish()],
        [says('Sure.'), finish()],
      ],
      { facts },
    )
    await bench.prompt('hi')
    await bench.prompt('now this')
    expect(JSON.stringify(bench.requests[1]?.prompt)).toMatch(/USER: hi.*ASSISTANT: Hello\./)
    expect(JSON.stringify(bench.requests[1]?.prompt)).not.toContain('now this')
    expect(bench.requests[1]?.tools).toEqual([])
    expect(sketch(bench.requests[2]!)).toEqual([
      'user: Summary of the conversation so far:\n\nThey greeted. \n\nnow this',
    ])
    expect(bench.notices).toEqual(['The conversation is being summarised, to make room.'])
    expect(rebuilt(bench.events)).toEqual(bench.history.entries())
  })

  it('goes on in the middle of a turn, with the words of the task', async () => {
    const bench = await benchWithTools(
      [
        [...asks('m1', 'ok', '{}'), finish('tool-calls', near)],
        [says('Looked.'), finish()],
        [says('Done.'), finish()],
      ],
      { facts },
    )
    expect(await bench.prompt('do it')).toEqual({ stopReason: 'end_turn' })
    expect(sketch(bench.requests[2]!)).toEqual([
      "user: Summary of the conversation so far:\n\nLooked.\n\nThe user's last message, word for word:\n\ndo it",
    ])
  })

  it('first loses old long results, if that is enough', async () => {
    const steps = ['big', 'big', 'ok', 'ok', 'ok', 'ok'].map((name, index) => [
      ...asks(`m${index}`, name, '{}'),
      finish('tool-calls', { input: index === 5 ? 9000 : 100, output: 1 }),
    ])
    const bench = await benchWithTools([...steps, [says('Done.'), finish()]], { facts })
    await bench.prompt('go')
    expect(bench.events.filter(event => event.type === 'elision')).toHaveLength(1)
    const sent = JSON.stringify(bench.requests[6]?.prompt)
    expect(sent).not.toContain('xxxx')
    expect(sent.match(/left out to save room: 5000 characters/g)).toHaveLength(2)
    expect(sketch(bench.requests[6]!)).toHaveLength(13)
    expect(rebuilt(bench.events)).toEqual(bench.history.entries())
  })

  it('that is one prompt cannot be shortened', async () => {
    const bench = await benchWithTools([[tooLong]])
    await bench.prompt('one')
    expect(outline(bench.events).at(-2)).toBe('note Too long.')
    expect(bench.requests).toHaveLength(1)
  })

  it('that its provider finds too long is summarised, cut until that fits, and sent once more', async () => {
    const bench = await benchWithTools([
      [says('Hello.'), finish()],
      [tooLong],
      [tooLong],
      [says('Short.'), finish()],
      [says('ok'), finish()],
    ])
    await bench.prompt('one')
    expect(await bench.prompt('two')).toEqual({ stopReason: 'end_turn' })
    expect(sketch(bench.requests[4]!)).toEqual(['user: Summary of the conversation so far:\n\nShort. \n\ntwo'])
  })

  it('that stays too long ends the turn with a line, after one try', async () => {
    const bench = await benchWithTools([[says('Hello.'), finish()], [tooLong], [says('S'), finish()], [tooLong]])
    await bench.prompt('one')
    await bench.prompt('two')
    expect(outline(bench.events).at(-2)).toBe('note Too long.')
    expect(bench.requests).toHaveLength(4)
  })
})

describe('/compact', () => {
  it('summarises at once, keeps the thread, and the model reads the summary from then on', async () => {
    const bench = await benchWithTools([
      [says('Hello.'), finish()],
      [says('Greeted.'), finish()],
      [says('ok'), finish()],
    ])
    await bench.prompt('hi')
    expect(await bench.prompt('/compact')).toEqual({ stopReason: 'end_turn' })
    expect(outline(bench.events).slice(-3)).toEqual([
      'compaction',
      expect.stringMatching(/^note .*summary/),
      'turn/end end_turn',
    ])
    await bench.prompt('more')
    expect(sketch(bench.requests[2]!)[0]).toMatch(/Greeted\.[\s\S]*more$/)
  })

  it('says why it could not', async () => {
    const bench = await benchWithTools([[says('Hello.'), finish()], [new HarnessError('MODEL_OVERLOADED', 'Later.')]])
    await bench.prompt('/compact')
    expect(outline(bench.events).at(-2)).toBe('note There is nothing to summarise yet.')
    await bench.prompt('hi')
    await bench.prompt('/compact')
    expect(outline(bench.events).at(-2)).toBe('note The conversation could not be summarised. Later.')
  })
})
