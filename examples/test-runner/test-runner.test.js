import assert from 'node:assert/strict'
import { basename } from 'node:path'
import test from 'node:test'
import { toolContract } from 'deckhand/testing'
import { findFailures } from './find-failures.js'
import * as testRunner from './test-runner.js'

const files = {
  'package.json': '{ "type": "module" }',
  'good.test.js': "import test from 'node:test'\ntest('adds', () => {})\n",
  'bad.test.js': "import test from 'node:test'\n\ntest('subtracts', () => {\n  throw new Error('1 - 1 is not 1')\n})\n",
}

test('run_tests', async t => {
  /** @type {import('deckhand/testing').ToolSample[]} */
  const samples = [
    { name: 'all is well', args: { file: 'good.test.js' }, files, expect: { card: 'terminal', text: '# pass 1' } },
    {
      name: 'one test fails',
      args: { file: 'bad.test.js' },
      files,
      expect({ result, resultCard }) {
        assert.equal(result.error?.code, 'TESTS_FAILED')
        assert.match(JSON.stringify(result.content), /- subtracts .*bad\.test\.js:3\b.*1 - 1 is not 1/)
        assert.equal(resultCard?.card, 'terminal')
        const places = 'locations' in resultCard ? (resultCard.locations ?? []) : []
        assert.deepEqual(
          places.map(({ path, line }) => [basename(path), line]),
          [['bad.test.js', 3]],
        )
      },
    },
  ]
  for (const check of toolContract(testRunner, samples)) await t.test(check.name, check.run)
})

test('run_tests, until it is stopped', async t => {
  const config = { command: ['node', '-e', 'setInterval(() => {}, 1000)'] }
  for (const check of toolContract(testRunner, [{ args: {}, untilStopped: true }], { config })) {
    await t.test(check.name, check.run)
  }
})

test('failures are found at their places, inner tests instead of those around them', () => {
  const report = `TAP version 13
# Subtest: outer
    # Subtest: inner
    not ok 1 - inner
      ---
      duration_ms: 0.5
      location: '/w/a.test.js:4:3'
      failureType: 'testCodeFailure'
      ...
    1..1
not ok 1 - outer
  ---
  location: 'file:///w/a%20b.test.js:2:1'
  failureType: 'subtestsFailed'
  ...
ok 2 - fine
  ---
  location: '/w/b.test.js:1:1'
  ...
`
  assert.deepEqual(findFailures(report), [{ name: 'inner', path: '/w/a.test.js', line: 4 }])
})
