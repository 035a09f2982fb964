import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseMention } from '../../src/agent/index.js'

const posix = (uri: string) => parseMention(uri, false)
const windows = (uri: string) => parseMention(uri, true)

describe('the file behind a mention (B74)', () => {
  it('is its decoded path', () => {
    expect(posix('file:///w/hello%20world%23.txt')).toEqual({ path: '/w/hello world#.txt', directory: false })
    expect(posix('file:///w/%E4%BD%A0.txt')?.path).toBe('/w/你.txt')
    expect(posix('FILE:///w/a.ts')?.path).toBe('/w/a.ts')
    expect(windows('file:///C:/w/a%20b.ts')?.path).toBe('C:\\w\\a b.ts')
    expect(windows('file://nas/share/a.ts')?.path).toBe('\\\\nas\\share\\a.ts')
  })

  it('is found in a URI of a client that encodes nothing', () => {
    expect(posix('file:///w/100% done.txt')?.path).toBe('/w/100% done.txt')
    expect(posix('/w/a%20b #1?.txt')?.path).toBe('/w/a%20b #1?.txt')
    expect(posix('/w/a.ts#L3')).toEqual({ path: '/w/a.ts', directory: false, lines: { first: 3, last: 3 } })
    expect(windows('C:\\w\\a#b.ts')?.path).toBe('C:\\w\\a#b.ts')
    expect(windows('\\\\nas\\share\\a.ts')?.path).toBe('\\\\nas\\share\\a.ts')
  })

  it.each([
    ['#L10', 10, 10],
    ['#L10:20', 10, 20],
    ['#L10-20', 10, 20],
    ['#L10-L20', 10, 20],
    ['#L10C3-L20C1', 10, 20],
    ['#L20-10', 10, 20],
    ['#L0:0', 1, 1],
  ])('has the line range %s', (hash, first, last) => {
    expect(posix(`file:///w/a.ts${hash}`)).toEqual({ path: '/w/a.ts', directory: false, lines: { first, last } })
  })

  it('has no line range from another fragment', () => {
    for (const hash of ['#', '#section', '#L', '#Lx', '#10', '#L10-', '#L99999999999']) {
      expect(posix(`file:///w/a.md${hash}`)).toEqual({ path: '/w/a.md', directory: false })
    }
  })

  it('has a symbol', () => {
    expect(posix('file:///w/a.ts?symbol=operator%20new#L3:4')).toEqual({
      path: '/w/a.ts',
      directory: false,
      symbol: 'operator new',
      lines: { first: 3, last: 4 },
    })
  })

  it('may be a directory', () => {
    expect(posix('file:///w/src/')).toEqual({ path: '/w/src', directory: true })
    expect(posix('file:///')).toEqual({ path: '/', directory: true })
    expect(windows('file:///C:/')).toEqual({ path: 'C:\\', directory: true })
  })

  it.each([
    'zed:///agent/selection?path=/w/a.ts',
    'zed://agent/thread/1',
    'https://example.com/a.ts',
    'a.ts',
    '',
    'file://other-host/a.ts',
    'file:///w/a%2Fb',
    'file:///w/a%00b',
    'file:///w/%FF%FE',
  ])('is none for %s', uri => {
    expect(posix(uri)).toBeUndefined()
  })

  it('is none for a file URI without a drive on Windows', () => {
    expect(windows('file:///w/a.ts')).toBeUndefined()
  })

  it('is what it was before it became a URI', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1 }), parts => {
        const names = parts.map(part => part.replace(/[/\0]/g, '_')).filter(part => part !== '.' && part !== '..')
        const path = `/${names.join('/')}`
        expect(posix(pathToFileURL(path, { windows: false }).href)?.path).toBe(path)
      }),
    )
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (rest, isWindows) => {
        for (const start of ['', 'file:', 'file://', '/', 'C:\\']) parseMention(start + rest, isWindows)
      }),
    )
  })
})
