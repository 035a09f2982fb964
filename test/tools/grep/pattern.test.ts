import { expect, test } from 'vitest'
import { toRegExp } from '../../../src/tools/grep/pattern.js'

function messageFor(pattern: string): string {
  try {
    toRegExp(pattern, false)
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_ARGS' })
    return (error as Error).message
  }
  throw new Error(`${pattern} is valid`)
}

test('an invalid pattern names the reason and how to search for it as text', () => {
  expect(messageFor('foo(')).toBe('Invalid pattern: Unterminated group. To search for this text as it is: foo\\(')
  expect(messageFor('a[')).toContain('To search for this text as it is: a\\[')
})

test('needless escapes and lone braces get the pattern that was meant', () => {
  expect(messageFor('\\"name\\"\\-x')).toContain('Write: "name"-x')
  expect(messageFor('interface \\w+ {')).toContain('Write: interface \\w+ \\{')
  expect(messageFor('\\<a> {')).toContain('Write: <a> \\{')
})

test('inline flags point to ignore_case', () => {
  expect(messageFor('(?i)foo')).toContain('ignore_case')
})

test('an empty and an endless pattern are refused', () => {
  expect(messageFor('')).toBe('The pattern is empty.')
  expect(messageFor('a'.repeat(5000))).toContain('4096')
})

test('flags are u, and i on request', () => {
  expect(toRegExp('^\\p{L}$', false).test('ä')).toBe(true)
  expect(toRegExp('Ä', true).test('ä')).toBe(true)
  expect(toRegExp('^.$', false).test('\u{1F600}')).toBe(true)
})
