import { describe, expect, test } from 'vitest'
import { isSecretName } from '../../src/workspace/secret-names.js'
import { runBounded } from '../../src/workspace/walk-bounded.js'
import { compileGlob, toGlobStart } from '../../src/workspace/walk-glob.js'

function matching(pattern: string, paths: string[], options?: { anyLevel: boolean }): string[] {
  return paths.filter(compileGlob(pattern, options).filter.matches)
}

describe('compileGlob', () => {
  test('knows stars, globstars, braces, classes and question marks', () => {
    const paths = ['a.ts', 'a.tsx', 'b/a.ts', 'b/c/a.ts', 'ab.ts']
    expect(matching('*.ts', paths)).toEqual(['a.ts', 'ab.ts'])
    expect(matching('**/*.ts', paths)).toEqual(['a.ts', 'b/a.ts', 'b/c/a.ts', 'ab.ts'])
    expect(matching('**/a.{ts,tsx}', paths)).toEqual(['a.ts', 'a.tsx', 'b/a.ts', 'b/c/a.ts'])
    expect(matching('[a]?.ts', paths)).toEqual(['ab.ts'])
  })

  test('a leading ! inverts the pattern', () => {
    expect(matching('!*.ts', ['a.ts', 'a.md', 'b/a.ts'], { anyLevel: true })).toEqual(['a.md'])
  })

  test('with anyLevel a pattern without a slash matches names at every level', () => {
    expect(matching('*.ts', ['a.ts', 'b/c.ts', 'b/c.js'], { anyLevel: true })).toEqual(['a.ts', 'b/c.ts'])
  })

  test('the literal directories in front are where the walk starts', () => {
    expect(compileGlob('src/a/**/*.ts')).toMatchObject({ base: 'src/a', literal: false })
    expect(compileGlob('./src//x.ts')).toMatchObject({ base: 'src', literal: true })
    expect(compileGlob('/*.ts').base).toBe('/')
    expect(compileGlob('{a,b}/x').base).toBe('')
    expect(toGlobStart(undefined, '')).toBe('.')
    expect(toGlobStart('lib', '../src')).toBe('src')
    expect(toGlobStart('lib', '/abs')).toBe('/abs')
  })

  test('parentheses in a directory name are literal, with an operator or a bar they are a group', () => {
    expect(compileGlob('app/(auth)/*.tsx').base).toBe('app/(auth)')
    expect(matching('**/(auth)/*.tsx', ['app/(auth)/a.tsx', 'app/auth/a.tsx'])).toEqual(['app/(auth)/a.tsx'])
    expect(matching('**/@(a|b).ts', ['a.ts', 'x/b.ts', 'c.ts'])).toEqual(['a.ts', 'x/b.ts'])
  })

  test('the depth of a pattern bounds the walk', () => {
    expect(compileGlob('*.ts').filter.maxDepth).toBe(1)
    expect(compileGlob('*/x/*.ts').filter.maxDepth).toBe(3)
    expect(compileGlob('**/*.ts').filter.maxDepth).toBe(Number.POSITIVE_INFINITY)
    expect(compileGlob('{a/b,c}/*.ts').filter.maxDepth).toBe(Number.POSITIVE_INFINITY)
  })

  test('hidden names are named by a segment that begins with a dot', () => {
    for (const pattern of ['.github/*.yml', '**/.*', 'a/{.b,c}/*']) {
      const { base, filter } = compileGlob(pattern)
      expect(filter.namesHidden || base.startsWith('.')).toBe(true)
    }
    for (const pattern of ['**/*', './a/*', '../*', '*.ts', 'a.b/*'])
      expect(compileGlob(pattern).filter.namesHidden).toBe(false)
  })

  test('an empty or endless pattern is INVALID_ARGS', () => {
    for (const pattern of [' ', '*'.repeat(1001)]) {
      expect(() => compileGlob(pattern)).toThrow(expect.objectContaining({ code: 'INVALID_ARGS' }))
    }
  })

  test('a pattern that takes too long on a name is INVALID_ARGS instead of a hang', () => {
    const { filter } = compileGlob(`${'*a'.repeat(20)}b`)
    expect(() => filter.matches('a'.repeat(250))).toThrow(expect.objectContaining({ code: 'INVALID_ARGS' }))
  })
})

describe('runBounded', () => {
  test('ends a match that would take for ever, and passes results and errors on', () => {
    let matched: boolean | undefined
    const hang = () => {
      matched = /^(a+)+$/u.test(`${'a'.repeat(60)}!`)
    }
    expect(runBounded(hang, 20)).toBe(false)
    expect(matched).toBeUndefined()
    const quick = () => {
      matched = /a/u.test('a')
    }
    expect(runBounded(quick, 1000)).toBe(true)
    expect(matched).toBe(true)
    expect(() =>
      runBounded(() => {
        throw new RangeError('mine')
      }, 1000),
    ).toThrow(RangeError)
  })
})

test('the names that say secret, and their neighbours that do not', () => {
  const secret = ['.env', '.env.local', '.ENV', 'a.pem', 'b.key', 'id_rsa', 'id_ed25519.pub', '.npmrc', '.netrc']
  for (const name of [...secret, '.git-credentials', 'credentials', 'credentials.json'])
    expect(isSecretName(name)).toBe(true)
  for (const name of ['.env.example', 'env', 'pem', 'key.ts', 'identity', 'npmrc', 'a.keys', 'my-credentials']) {
    expect(isSecretName(name)).toBe(false)
  }
})
