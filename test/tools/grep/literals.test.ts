import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requiredLiterals, toNeedle } from '../../../src/tools/grep/literals.js'

test.each([
  ['foo', ['foo']],
  ['^import .* from', ['import ']],
  ['(get|set)[A-Z]\\w+\\(', ['get', 'set']],
  ['colou?r', ['colour', 'color']],
  ['fo+bar', ['obar']],
  ['a(?!x)b(?<=c)', ['ab']],
  ['foo\\.bar\\(', ['foo.bar(']],
  ['\\u{1F600}\\ud83d\\ude00', ['😀😀']],
  ['(abc)?def|x{2,}yz', ['abcdef', 'def', 'xyz']],
])('every match of %s contains one of %j', (pattern, literals) => {
  expect(requiredLiterals(pattern, false)).toEqual(literals)
})

test.each(['x*', '\\d+', 'foo|', 'foo|\\w', '[^x]', '(?:a|b|)', '\\ud83d', '\\n', '', '(?:(?:a*)*)'])(
  'nothing is known of a match of %j',
  pattern => {
    expect(requiredLiterals(pattern, false)).toBeUndefined()
  },
)

test('a part that ignores case of itself, and one that is nested too deeply, leave the pattern unread', () => {
  expect(requiredLiterals('(?i:foo)bar', false)).toBeUndefined()
  expect(requiredLiterals(`${'('.repeat(2000)}foo${')'.repeat(2000)}`, false)).toBeUndefined()
})

test('in any case, only ASCII is asked for', () => {
  expect(requiredLiterals('größe', true)).toEqual(['gr'])
  expect(toNeedle(['ask'], true)?.test('A\u017f\u212a')).toBe(true)
})

const letter = fc.constantFrom('a', 'b', 'k', 's')
const other = fc.constantFrom(
  ...String.raw`é 😀 . \w \W [ab] [^a] [a-k] [😀é] \x61 \u{6b} \ud83d\ude00 \u00e9 \b \B ^ $ (?=a) (?!b) (?<=s) (?<!k) \p{L} \. \t`.split(
    ' ',
  ),
)
const atom = fc.oneof({ arbitrary: letter, weight: 3 }, { arbitrary: other, weight: 1 })
const quantifier = fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{0,1}', '{1,}', '+?')
const toPatterns = (body: fc.Arbitrary<string>): fc.Arbitrary<string> => {
  const term = fc
    .tuple(body, quantifier)
    .map(([part, times]) => (/^(?:[$^]|\\[bB]|\(\?<?[=!])/.test(part) ? part : part + times))
  const sequence = fc.array(term, { minLength: 1, maxLength: 5 }).map(terms => terms.join(''))
  return fc.array(sequence, { minLength: 1, maxLength: 2 }).map(sequences => sequences.join('|'))
}
const inGroups = (pattern: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: atom, weight: 4 },
    {
      arbitrary: fc
        .tuple(fc.constantFrom('(', '(?:', '(?=', '(?!', '(?<='), pattern)
        .map(([opening, inner]) => `${opening}${inner})`),
      weight: 1,
    },
  )
const anyPattern = toPatterns(inGroups(toPatterns(inGroups(toPatterns(atom)))))
const anyText = fc
  .array(fc.oneof(letter, fc.constantFrom('K', 'S', '\u017f', '\u212a', 'é', 'É', '😀', '.', ' ', '\t', 'A')), {
    maxLength: 10,
  })
  .map(parts => parts.join(''))

/** The letters of a pattern, some of them several times or not at all: likely to match it. */
const likeIt = (pattern: string, times: readonly number[]) =>
  (pattern.match(/[abks](?!\d)/g) ?? [])
    .slice(0, 8)
    .map((char, index) => char.repeat(times[index % times.length] ?? 1))
    .join('')
    .slice(0, 12)

test('a text that matches contains a literal, whatever the pattern', () => {
  let matched = 0
  const anyTimes = fc.array(fc.constantFrom(1, 1, 1, 2, 3, 0), { minLength: 5, maxLength: 8 })
  const severalTimes = fc.array(anyTimes, { minLength: 8, maxLength: 8 })
  const texts = fc.array(anyText, { minLength: 8, maxLength: 8 })
  fc.assert(
    fc.property(anyPattern, texts, severalTimes, fc.boolean(), (source, others, times, ignoreCase) => {
      const regex = new RegExp(source, ignoreCase ? 'iu' : 'u')
      const needle = toNeedle(requiredLiterals(source, ignoreCase), ignoreCase)
      if (needle === undefined) return
      for (const text of [...others, ...times.map(counts => likeIt(source, counts))]) {
        if (!regex.test(text)) continue
        matched += 1
        if (!needle.test(text)) throw new Error(`${needle} is not in ${JSON.stringify(text)}`)
      }
    }),
    { numRuns: 800 },
  )
  expect(matched).toBeGreaterThan(200)
})
