import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, it } from 'vitest'
import { findProgram, withEndings } from '../../src/workspace/launch-lookup.js'
import { makeDirectory } from '../support/directory.js'

it('a program is found by its path, or on the PATH that is given, past folders and files that cannot be run', () => {
  const folder = makeDirectory()
  const [first, second] = ['first', 'second'].map(name => join(folder, name)) as [string, string]
  mkdirSync(join(first, 'lint.exe'), { recursive: true })
  mkdirSync(second)
  writeFileSync(join(second, 'lint.exe'), '')
  chmodSync(join(second, 'lint.exe'), 0o755)
  const env = { PATH: ['relative', first, second].join(delimiter) }
  expect(findProgram(['none.exe', 'lint.exe'], env)).toBe(join(second, 'lint.exe'))
  expect(findProgram([join(first, 'lint.exe')], env)).toBeUndefined()
  expect(findProgram(['lint.exe'], {})).toBeUndefined()
})

it('on Windows a program may be named without one of the endings of PATHEXT', () => {
  expect(withEndings('C:\\bin\\npx', '.EXE;;.CMD')).toEqual(['C:\\bin\\npx', 'C:\\bin\\npx.EXE', 'C:\\bin\\npx.CMD'])
  expect(withEndings('npx')).toContain('npx.CMD')
  expect(withEndings('npx', '')).toEqual(['npx'])
})
