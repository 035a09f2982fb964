import { expect, onTestFinished, test } from 'vitest'
import { guardExit } from '../../src/cli/guard-exit.js'

test('what calls process.exit in the agent fails by it, is told in the log, and the agent keeps the real one', () => {
  const before = process.exit
  const ended: unknown[] = []
  const real = (code: unknown) => void ended.push(code)
  onTestFinished(() => {
    process.exit = before
  })
  process.exit = real as typeof process.exit
  const logged: unknown[] = []
  const exit = guardExit((_level, ...parts) => logged.push(...parts))
  expect(() => process.exit(3)).toThrow('process.exit(3) was called; a plugin cannot end the agent')
  expect([logged.length, ended]).toEqual([1, []])
  exit(7)
  expect(ended).toEqual([7])
})
