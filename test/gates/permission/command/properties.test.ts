import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { useCommandBench } from './command-support.js'

const bench = useCommandBench()
const rules = { allow: ['git *', 'npm test *'], deny: ['rm *', 'git push *'] }

const word = fc.constantFrom(
  'git',
  'rm',
  'npm',
  'test',
  'push',
  'log',
  'ls',
  'x',
  'a b',
  '-f',
  '--all',
  'src',
  '.env',
  'sudo',
)
const words = fc.array(word, { minLength: 1, maxLength: 5 })
/** The ways to write a word so that a shell reads the same. */
const quoting = fc.constantFrom<(text: string) => string>(
  text => (text.includes(' ') ? `'${text}'` : text),
  text => `'${text}'`,
  text => `"${text}"`,
  text => [...text].map(letter => `\\${letter}`).join(''),
  text => [...text].map(letter => `'${letter}'`).join('""'),
  text => `$'${[...text].map(letter => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')}'`,
  text => `''${text.replace(' ', '\\ ')}""`,
)
const command = fc.tuple(words, fc.array(quoting, { minLength: 5, maxLength: 5 }))
const line = fc
  .array(fc.tuple(words, fc.constantFrom('; ', ' && ', ' || ', ' | ', '\n', ' & ')), { minLength: 1, maxLength: 4 })
  .map(parts => parts.map(([own, joint], index) => plain(own) + (index < parts.length - 1 ? joint : '')).join(''))

function plain(own: readonly string[]): string {
  return own.map(text => (text.includes(' ') ? `'${text}'` : text)).join(' ')
}

describe('for any command', () => {
  it('another way to quote its words never loosens the decision (B62)', async () => {
    await fc.assert(
      fc.asyncProperty(command, async ([own, quotes]) => {
        const bare = await bench.decide(plain(own), rules)
        const quoted = await bench.decide(own.map((text, index) => quotes[index]?.(text) ?? text).join(' '), rules)
        expect(quoted.decision).toBe(bare.decision)
        expect(quoted.always).toEqual(bare.always)
      }),
      { numRuns: 300 },
    )
  })

  it('a denied part denies the whole, wherever it is added (B62)', async () => {
    const frame = fc.constantFrom<(text: string, denied: string) => string>(
      (text, denied) => `${text}; ${denied}`,
      (text, denied) => `${denied}\n${text}`,
      (text, denied) => `${text} && ${denied}`,
      (text, denied) => `if ${text}; then ${denied}; fi`,
      (text, denied) => `(${text}) | { ${denied}; }`,
      (text, denied) => `${text}; echo "$(${denied})"`,
      (text, denied) => `${text} | xargs -n 1 ${denied}`,
      (text, denied) => `timeout 5 ${denied}; ${text}`,
      (text, denied) => `sh -c '${denied}'; ${text}`,
    )
    const denied = fc.constantFrom('rm x', 'rm', '\\rm -rf x', '/bin/rm x', 'git push', 'git -C src push')
    await fc.assert(
      fc.asyncProperty(line, denied, frame, async (text, part, join) => {
        expect(await bench.decide(join(text, part), rules)).toMatchObject({ decision: 'deny' })
      }),
      { numRuns: 300 },
    )
  })

  it('is allowed only if each part is allowed alone (B62)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(words, { minLength: 2, maxLength: 4 }), async parts => {
        const whole = await bench.decide(parts.map(plain).join(' && '), rules)
        const alone = await Promise.all(parts.map(part => bench.decide(plain(part), rules)))
        if (whole.decision === 'allow') expect(alone.map(({ decision }) => decision)).not.toContain('ask')
        expect(whole.decision === 'deny').toBe(alone.some(({ decision }) => decision === 'deny'))
      }),
      { numRuns: 200 },
    )
  })

  it('any text gets a decision, and what is not understood is neither free nor allowed for good', async () => {
    const piece = fc.constantFrom(
      '$(',
      '`',
      '"',
      "'",
      '\\',
      '\n',
      ';',
      '&',
      '|',
      '<',
      '>',
      '(',
      ')',
      '{',
      '}',
      '$',
      '#',
      'ls',
      'git',
      ' ',
      '<<E',
      '*',
      '!',
      '\r',
      '\0',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async pieces => {
        const text = pieces.join('')
        const found = await bench.decide(text)
        expect(['allow', 'ask']).toContain(found.decision)
        if (/[\r\0]/.test(text)) expect(found.decision).toBe('ask')
        if (found.row === 'cannot-parse') expect(found.always).toBeUndefined()
      }),
      { numRuns: 500 },
    )
  })
})
