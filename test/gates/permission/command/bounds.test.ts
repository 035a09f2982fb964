import { describe, expect, it } from 'vitest'
import { useCommandBench } from './command-support.js'

const bench = useCommandBench()

const SIZE = 250_000
const repeat = (text: string, size = SIZE) => text.repeat(Math.ceil(size / text.length))

/** Far more than it needs on a busy machine, and far less than a parser without bounds takes: seconds to minutes. */
const LIMIT_MS = 30_000

describe('a hostile line', () => {
  it.each([
    ['nested substitutions', repeat('$(')],
    ['nested substitutions in quotes', repeat('"$("')],
    ['here-documents', repeat('<<a ')],
    ['process substitutions', repeat('<(')],
    ['nested defaults', repeat(`\${x:-`)],
    ['backticks', repeat('\\`')],
    ['subshells', repeat('(')],
    ['braces', repeat('{a,')],
    ['cases', repeat('case x in x) ')],
    ['chains', repeat('a&&')],
    ['words', repeat('a ')],
    ['wrappers', repeat('timeout 1 ')],
    ['evals', repeat("eval 'eval x';")],
    ['shells in shells', `sh -c "${repeat('sh -c ')}"`],
    ['searches that run commands', `find ${repeat('-exec sh \\; ')}`],
    ['stars', `ls ${repeat('*a')}`],
  ])(
    'of 250 KB (%s) asks, and is denied for a word of a deny rule',
    async (_name, text) => {
      expect(await bench.decide(text, { allow: ['a *', 'ls *'] })).toMatchObject({
        decision: 'ask',
        row: 'cannot-parse',
      })
      expect(await bench.decide(`${text}; rm x`, { deny: ['rm *'] })).toMatchObject({ decision: 'deny' })
    },
    LIMIT_MS,
  )

  it.each([
    ['nested substitutions', repeat('$(', 16_000)],
    ['99 substitutions around much text', '$('.repeat(99) + repeat('a ', 15_000)],
    ['99 here-documents', `${'<<a '.repeat(99)}\n${repeat('a\n', 15_000)}`],
    ['chains', repeat('a&&', 16_000)],
    ['words', repeat('a ', 16_000)],
    ['operators of arithmetic', `echo $((${repeat('1+', 15_000)}1))`],
    ['wrappers', repeat('xargs ', 16_000)],
    ['evals', repeat("eval 'eval x';", 16_000)],
    ['a shell in a shell', `${'sh -c '.repeat(2000)}x`],
    ['searches that run commands', `find ${repeat('-exec sh \\; ', 15_000)} <<E\n${repeat('x;', 500)}\nE`],
  ])(
    'as long as may be read (%s) asks too',
    async (_name, text) => {
      const found = await bench.decide(text, { allow: ['a *', 'echo *', 'find *', 'sh *'] })
      expect(found.decision).toBe('ask')
      expect(found.always).toBeUndefined()
    },
    LIMIT_MS,
  )

  it('of nested shells is read down to a bound, and asks past it', async () => {
    let text = 'rm x'
    for (let depth = 0; depth < 5; depth++) text = `sh -c ${JSON.stringify(text)}`
    expect(await bench.decide(text, { deny: ['rm *'] })).toMatchObject({ decision: 'deny' })
    const wrapped = `${'nice '.repeat(30)}ls`
    expect(await bench.decide(wrapped, { allow: ['nice *'] })).toMatchObject({ decision: 'ask', row: 'cannot-parse' })
  })

  it('of usual length is read whole: 150 parts', async () => {
    expect(await bench.decide(repeat('ls; ', 600))).toMatchObject({ decision: 'allow' })
  })
})
