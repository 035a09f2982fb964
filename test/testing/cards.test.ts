import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isToolCallView, isToolResultView, text } from '../../src/cards/index.js'
import { callViewProblems, resultViewProblems } from '../../src/testing/view-problems.js'
import { plugin, problemOf, tool } from './broken-tools.js'

describe('the check that a call is shown from its arguments alone', () => {
  const check = 'answers what a call looks like'
  const title = (make: () => string) => tool({ presentCall: () => ({ card: 'generic', title: make() }) })

  it.each([
    ['the clock', () => `at ${new Date().getFullYear()}`],
    ['the clock', () => `at ${Date.now()}`],
    ['Math.random', () => `${Math.random()}`],
    ['process.env.DECKHAND_NO_SUCH', () => `${process.env.DECKHAND_NO_SUCH}`],
    ['process.cwd', () => process.cwd()],
  ])('names %s as what a title depends on', async (what, make) => {
    expect(await problemOf(title(make), check)).toMatch(
      new RegExp(`one: presentCall answers differently.*title: .*It asks for ${what}\\.`),
    )
  })

  it('names a counter, and what effects depends on', async () => {
    let calls = 0
    expect(
      await problemOf(
        title(() => `${++calls}`),
        check,
      ),
    ).toMatch(/title: "1", then "2"/)
    const elsewhere = tool({ effects: () => ({ reads: [process.cwd()] }) })
    expect(await problemOf(elsewhere, check)).toMatch(/effects answers differently.*reads\[0\]/)
  })

  it('takes a date that is in the arguments', async () => {
    expect(
      await problemOf(
        title(() => new Date(0).toISOString()),
        check,
      ),
    ).toBeUndefined()
  })

  it('names an argument that is changed in place', async () => {
    const sorting = {
      ...tool(),
      presentCall: (args: Record<string, unknown>) => ({
        card: 'generic' as const,
        title: `${(args.list as string[]).sort()}`,
      }),
    }
    expect(await problemOf(sorting, check, { args: { path: 'a', list: ['b', 'a'] } })).toMatch(
      /presentCall changes what it was given: args\.list\[0\]: "b", then "a"\..*copy before sort/,
    )
  })

  it('leaves the world as it was', async () => {
    const before = [Date, Math.random, process.cwd, process.env, performance.now]
    await problemOf(
      title(() => `${Date.now()}`),
      check,
    )
    expect(
      [Date, Math.random, process.cwd, process.env, performance.now].map((it, n) => it === before[n]),
    ).not.toContain(false)
  })
})

describe('the check of results', () => {
  const check = 'shows a result from its arguments and meta alone'

  it('names the clock and a changed result', async () => {
    const late = tool({ presentResult: () => ({ card: 'generic', title: `${Date.now()}` }) })
    expect(await problemOf(late, check)).toMatch(/presentResult answers differently.*the clock.*belongs in meta/)
    const greedy = tool({
      presentResult(_args, { content }) {
        content.push(text('more'))
        return { card: 'generic', content }
      },
    })
    expect(await problemOf(greedy, check)).toMatch(/presentResult changes what it was given: result\.content/)
  })
})

describe('the check of arguments that are still written', () => {
  const check = 'shows no hole'

  it('names what is shown of arguments that are missing', async () => {
    const eager = tool({ presentCall: ({ path, count }) => ({ card: 'generic', title: `Look at ${path} ${count}` }) })
    const problem = await problemOf(eager, check, { args: { path: 'a', count: 1 } })
    expect(problem).toMatch(/while no argument is there, presentCall shows "Look at undefined undefined"/)
    expect(problem).toMatch(/while only path is there, presentCall shows "Look at a undefined"/)
  })

  it('takes undefined, a throw and a card that says less', async () => {
    const waiting = tool({ presentCall: ({ path }) => (path ? { card: 'generic', title: path.trim() } : undefined) })
    const throwing = tool({ presentCall: ({ path }) => ({ card: 'generic', title: path.trim() }) })
    for (const patient of [waiting, throwing]) expect(await problemOf(patient, check)).toBeUndefined()
  })
})

describe('the check of valid cards', () => {
  const check = 'gives cards that are valid'
  const broken = (view: unknown) => tool({ presentCall: () => view as never })

  it.each([
    [{ card: 'table', title: 'x' }, 'card: expected one of generic, terminal, diff, got "table"'],
    [{ card: 'generic' }, 'title: expected a string, got nothing'],
    [{ card: 'generic', title: 'x', kind: 'look' }, 'kind: expected one of read, edit'],
    [{ card: 'generic', title: 'x', locations: [{ path: 'a', line: 0 }] }, 'locations[0].line: expected a line number'],
    [{ card: 'generic', title: 'x', content: ['text'] }, 'content[0]: expected a content block, got "text"'],
    [{ card: 'diff', title: 'x' }, 'diffs: expected a list, got nothing'],
    [
      { card: 'diff', title: 'x', diffs: [{ path: 'a', oldText: 'x', newText: 'x' }] },
      'diffs[0]: oldText and newText are equal',
    ],
    [{ card: 'terminal', title: 'x', cwd: 5 }, 'cwd: expected a string, got 5'],
    [Promise.resolve({ card: 'generic', title: 'x' }), 'it returns a promise'],
    ['text', 'the card: expected an object or undefined, got "text"'],
    [{ card: 'generic', title: '  ' }, 'the title is blank'],
  ])('names the field of %j', async (view, problem) => {
    expect(await problemOf(broken(view), check)).toContain(`one: presentCall: ${problem}`)
  })

  it('names a presenter that throws, and a result card that is none', async () => {
    const throwing = tool({
      presentResult() {
        throw new Error('no meta')
      },
    })
    expect(await problemOf(throwing, check)).toMatch(/presentResult throws: no meta/)
    const negative = tool({ presentResult: () => ({ card: 'terminal', exitCode: -1 }) })
    expect(await problemOf(negative, check)).toMatch(
      /presentResult: exitCode: expected an exit code, 0 or more, got -1/,
    )
  })

  it('passes on what the registry warns of: a meta that no log can hold', async () => {
    const big = tool({ execute: async () => ({ content: [], meta: { size: 1n } as never }) })
    expect(await problemOf(big, check)).toMatch(/meta cannot be written as JSON/)
  })

  it('finds a problem exactly where the registry refuses a view', () => {
    const value = fc.oneof(
      fc.constantFrom('', 'a', null, 0, 1, -1, undefined),
      fc.array(fc.constantFrom('a', { path: 'a' }, { path: 'a', oldText: null, newText: 'b' })),
    )
    const keys = [
      'title',
      'kind',
      'content',
      'locations',
      'paths',
      'rawInput',
      'description',
      'cwd',
      'diffs',
      'output',
      'exitCode',
      'signal',
    ]
    const view = fc.record(
      {
        card: fc.constantFrom('generic', 'terminal', 'diff', 'other'),
        ...Object.fromEntries(keys.map(key => [key, value])),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(view, given => {
        expect(callViewProblems(given).length === 0).toBe(isToolCallView(given))
        expect(resultViewProblems(given).length === 0).toBe(isToolResultView(given))
      }),
    )
  })
})

describe('the check of replay', () => {
  const check = 'shows the same cards when the session is replayed'

  it('names a card that rests on what execute left in a variable', async () => {
    let last = ''
    const remembering = tool({
      execute: async (_args, exec) => {
        last = exec.agent?.cwd ?? ''
        return []
      },
      presentResult: () => ({ card: 'generic', title: last }),
    })
    expect(await problemOf(remembering, check)).toMatch(
      /presentResult shows another card on replay: title: .*nothing that execute left/,
    )
  })

  it('names one that is known only to the plugin that ran it', async () => {
    const stateful = () => {
      const seen = new Set<string>()
      const parts = {
        presentResult: ({ path }: { path: string }) => ({ card: 'generic' as const, title: `${seen.has(path)}` }),
      }
      return tool({ ...parts, execute: async ({ path }) => [text(`${seen.add(path).size}`)] })
    }
    const fresh = {
      name: 'fresh',
      inject: ['tools'],
      apply: (ctx: { tools: { register(it: object): void } }) => ctx.tools.register(stateful()),
    }
    expect(await problemOf(fresh as never, check)).toMatch(/title: "true", then "false"/)
  })
})

describe('the checks of places', () => {
  const check = 'gives locations and diffs of files'
  const at = (path: string) => tool({ presentCall: () => ({ card: 'generic', title: 'x', locations: [{ path }] }) })

  it.each([
    ['other/a.txt', /locations\[0\] is other\/a\.txt, which is no file before or after the call/],
    ['/nowhere/a.txt', /which is no file/],
    ['*.txt', /none for patterns/],
    ['.', /is a directory/],
    ['file:///a.txt', /is a URL/],
  ])('names the location %s', async (path, problem) => {
    expect(await problemOf(at(path), check)).toMatch(problem)
  })

  it('takes a file that the call has made, and one that is missing in a call that failed', async () => {
    const making = plugin(
      async (ctx, _args, exec) => {
        await ctx.files.write(exec.agent, 'new.txt', Buffer.from('x'))
        return []
      },
      { presentResult: () => ({ card: 'generic', locations: [{ path: 'new.txt' }] }) },
    )
    expect(await problemOf(making, check)).toBeUndefined()
    const failing = tool({
      execute: async () => {
        throw new Error('no such file')
      },
    })
    expect(await problemOf(failing, check, { files: {}, args: { path: 'gone.txt' } })).toBeUndefined()
  })

  it('names diffs that are not what happened to the file', async () => {
    const shows = (diff: { path: string; oldText: string | null; newText: string }) =>
      plugin(
        async (ctx, { path }, exec) => {
          await ctx.files.write(exec.agent, path, Buffer.from('one\nzwei\n'))
          return []
        },
        { presentResult: () => ({ card: 'diff', diffs: [diff] }) },
      )
    const truth = 'shows diffs that are what happened'
    const path = 'a.txt'
    expect(await problemOf(shows({ path, oldText: 'one\ntwo\n', newText: 'one\nzwei\n' }), truth)).toBeUndefined()
    expect(await problemOf(shows({ path, oldText: 'two', newText: 'zwei' }), truth)).toMatch(
      /oldText is no run of whole lines.*appliedHunks/,
    )
    expect(await problemOf(shows({ path, oldText: 'two\n', newText: 'dos\n' }), truth)).toMatch(
      /newText is no run of whole lines/,
    )
    expect(await problemOf(shows({ path, oldText: null, newText: 'zwei\n' }), truth)).toMatch(
      /says that there was no file/,
    )
  })
})
