import fc from 'fast-check'
import ignore from 'ignore'
import { expect, test } from 'vitest'
import { RuleHints } from '../../src/workspace/walk-hints.js'

const segment = fc.oneof(
  fc.constantFrom('a', 'b', 'A', 'é', 'a.js', 'b.log'),
  fc.constantFrom('*', '**', '*.js', 'a*', '*.l*g', '?', '[ab]', '\\a', 'a ', '\\*', '*a', '**a', 'É'),
)
const rule = fc
  .tuple(
    fc.constantFrom('', '', '!', '/'),
    fc.array(segment, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '/', ' ', '/**'),
  )
  .map(([start, segments, end]) => start + segments.join('/') + end)
const path = fc.array(fc.constantFrom('a', 'b', 'A', 'é', 'É', 'a.js', 'B.LOG', 'b.log', 'a ', '*', 'ba', 'x'), {
  minLength: 1,
  maxLength: 3,
})

test('what the hints say no rule matches, no rule matches, if nothing above is ignored', () => {
  let spared = 0
  fc.assert(
    fc.property(
      fc.array(rule, { minLength: 1, maxLength: 4 }),
      fc.nat(4),
      fc.array(path, { minLength: 10, maxLength: 10 }),
      fc.boolean(),
      (rules, cut, paths, ignoreCase) => {
        const above = new RuleHints(undefined, rules.slice(0, cut), ignoreCase)
        const hints = new RuleHints(above, rules.slice(cut), ignoreCase)
        const all = ignore({ ignorecase: ignoreCase }).add(rules)
        for (const names of paths) {
          const parents = names.slice(0, -1).map((_, index) => `${names.slice(0, index + 1).join('/')}/`)
          if (parents.some(parent => all.ignores(parent))) continue
          if (hints.mayMatch(names.slice(0, -1).join('/'), names.at(-1)!)) continue
          spared += 1
          for (const end of ['', '/']) {
            const { ignored } = all.test(names.join('/') + end)
            if (ignored) throw new Error(`${names.join('/')}${end} is ignored by ${JSON.stringify(rules)}`)
          }
        }
      },
    ),
    { numRuns: 2000 },
  )
  expect(spared).toBeGreaterThan(500)
})

test('a rule for the entries of one directory concerns no other', () => {
  const hints = new RuleHints(undefined, ['.vscode/*', '!/.vscode/settings.json', 'dist/', '*.log'], false)
  expect(hints.mayMatch('src', 'index.ts')).toBe(false)
  expect(hints.mayMatch('x/.vscode', 'index.ts')).toBe(true)
  expect(hints.mayMatch('src', 'dist')).toBe(true)
  expect(hints.mayMatch('', 'a.log')).toBe(true)
})
