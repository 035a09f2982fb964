import { describe, expect, it } from 'vitest'
import type { PathSpace } from '../../src/bridge/render/path-space.js'
import { toCommandTitle, toWireTitle } from '../../src/bridge/render/titles.js'

const posixSpace: PathSpace = { cwd: '/w', roots: ['/w'], spellings: () => [], windows: false }

function titleOf(title: string, paths: string[] = [], space: Partial<PathSpace> = {}, kind: 'read' | 'edit' = 'read') {
  return toWireTitle({ title, name: 'tool', kind, paths, space: { ...posixSpace, ...space } })
}

describe('paths in titles', () => {
  it.each([
    ['Read /w/src/a.ts', ['/w/src/a.ts'], 'Read src/a.ts'],
    ['Move /w/a.ts to /w/b/c.ts', ['/w/a.ts', '/w/b/c.ts'], 'Move a.ts to b/c.ts'],
    ['Read /w/a.tsx', ['/w/a.ts'], 'Read /w/a.tsx'],
    ['Read /w/a.ts.bak', ['/w/a.ts'], 'Read /w/a.ts.bak'],
    ['Read x/w/a.ts', ['/w/a.ts'], 'Read x/w/a.ts'],
    ['Read /w/a.ts/b', ['/w/a.ts'], 'Read /w/a.ts/b'],
    ['Read /wx/a.ts', ['/wx/a.ts'], 'Read /wx/a.ts'],
    ['Read /w/..cache/a', ['/w/..cache/a'], 'Read ..cache/a'],
    ['Read /w/a.ts:10-20', ['/w/a.ts'], 'Read a.ts:10-20'],
    ['Read "/w/a.ts", then more.', ['/w/a.ts'], 'Read "a.ts", then more.'],
    ['Wrote /w/a.ts.', ['/w/a.ts'], 'Wrote a.ts.'],
    ['Read ./src/../a.ts', ['./src/../a.ts'], 'Read a.ts'],
    ['Read src/a.ts', ['/w/src/a.ts'], 'Read src/a.ts'],
  ])('replaces the paths of the card on segment boundaries: %s (B40)', (title, paths, expected) => {
    expect(titleOf(title, paths)).toBe(expected)
  })

  it.each([...'-_.+*?^$()[]{}|,;:@#%&=~!\'" é你'])('takes a name with %s as it is', char => {
    expect(titleOf(`Edit /w/a${char}b.ts`, [`/w/a${char}b.ts`], {}, 'edit')).toBe(`Edit a${char}b.ts`)
    expect(titleOf(`Edit /x/a${char}b.ts`, [`/x/a${char}b.ts`], {}, 'edit')).toBe(`Edit /x/a${char}b.ts`)
  })

  it('leaves a path that is not the card’s alone', () => {
    expect(titleOf('Read /w/a.ts', ['/w/b.ts'])).toBe('Read /w/a.ts')
  })

  it('keeps a path outside absolute, also one that was given relative to cwd (B40)', () => {
    expect(titleOf('Read /etc/hosts', ['/etc/hosts'])).toBe('Read /etc/hosts')
    expect(titleOf('Read ../x/a', ['../x/a'])).toBe('Read /x/a')
  })

  it('shows cwd itself as its last segment', () => {
    expect(titleOf('Search x in /home/me/proj', ['/home/me/proj'], { cwd: '/home/me/proj' })).toBe('Search x in proj')
    expect(titleOf('Search x in /w/', ['/w/'], { cwd: '/w/' })).toBe('Search x in w')
    expect(titleOf('Search . in .', ['.'])).toBe('Search . in w')
  })

  it('takes a directory with a slash at its end as the directory', () => {
    expect(titleOf('List /w/src/', ['/w/src/'])).toBe('List src')
    expect(titleOf('List /w/src/', ['/w/src'])).toBe('List src')
  })

  it('shows a path of an additional root under the root’s last segment', () => {
    const space = { roots: ['/w', '/libs/core/', '/libs'] }
    expect(titleOf('Read /libs/core/a.ts', ['/libs/core/a.ts'], space)).toBe('Read core/a.ts')
    expect(titleOf('Read /libs/b.ts', ['/libs/b.ts'], space)).toBe('Read libs/b.ts')
    expect(titleOf('Search x in /libs', ['/libs'], space)).toBe('Search x in libs')
  })

  it('works with the file system’s root as cwd or as a root', () => {
    expect(titleOf('Read /etc/hosts', ['/etc/hosts'], { cwd: '/' })).toBe('Read etc/hosts')
    expect(titleOf('Search x in /', ['/'], { cwd: '/' })).toBe('Search x in /')
    expect(titleOf('Read /etc/hosts', ['/etc/hosts'], { roots: ['/'] })).toBe('Read /etc/hosts')
  })

  it('knows both spellings of a linked cwd (B42)', () => {
    const space = { cwd: '/link', roots: ['/link'], spellings: (dir: string) => (dir === '/link' ? ['/real/dir'] : []) }
    expect(titleOf('Read /real/dir/a.ts', ['/real/dir/a.ts'], space)).toBe('Read a.ts')
    expect(titleOf('Read /link/a.ts', ['/link/a.ts'], space)).toBe('Read a.ts')
    expect(titleOf('Read /real/dir/a.ts', ['/link/a.ts'], space)).toBe('Read a.ts')
    expect(titleOf('List /real/dir', ['/real/dir'], space)).toBe('List link')
  })

  it.each([
    ['Read C:\\w\\src\\a.ts', ['C:\\w\\src\\a.ts'], 'Read src\\a.ts'],
    ['Read c:/w/src/a.ts', ['c:/w/src/a.ts'], 'Read src\\a.ts'],
    ['Read C:\\W\\A.ts', ['c:\\w\\a.ts'], 'Read a.ts'],
    ['Read D:\\x.ts', ['D:\\x.ts'], 'Read D:\\x.ts'],
    ['Read C:\\wx\\a.ts', ['C:\\wx\\a.ts'], 'Read C:\\wx\\a.ts'],
    ['Search in C:\\w\\', ['C:\\w\\'], 'Search in w'],
    ['Read \\\\srv\\share\\lib\\a.ts', ['\\\\srv\\share\\lib\\a.ts'], 'Read lib\\a.ts'],
  ])('compares drives, case and separators as Windows does: %s', (title, paths, expected) => {
    const space = { cwd: 'C:\\w', roots: ['C:\\w', '\\\\srv\\share\\lib'], windows: true }
    expect(titleOf(title, paths, space, 'edit')).toBe(expected)
  })
})

describe('Markdown in titles', () => {
  it.each([
    ['Read /w/__tests__/a.ts', ['/w/__tests__/a.ts'], 'Read `__tests__/a.ts`'],
    ['Search *.ts here', [], 'Search `*.ts` here'],
    ['Search a`b here', [], 'Search ``a`b`` here'],
    ['Search `x` here', [], 'Search `` `x` `` here'],
    ['Search [a] <b>', [], 'Search `[a]` `<b>`'],
    ['# heading', [], '`#` heading'],
    ['1. first', [], '`1.` first'],
    ['Read /w/my dir/[id]/a b.ts now', ['/w/my dir/[id]/a b.ts'], 'Read `my dir/[id]/a b.ts` now'],
    ['Plain words, a-b and c.d!', [], 'Plain words, a-b and c.d!'],
  ])('puts a run with markup in a code span and leaves the rest: %s', (title, paths, expected) => {
    expect(titleOf(title, paths)).toBe(expected)
  })

  it('leaves the titles of edits alone, which are drawn as text', () => {
    expect(titleOf('Edit __init__.py', [], {}, 'edit')).toBe('Edit __init__.py')
  })
})

describe('the length of titles', () => {
  it('cuts at 200 characters on a code point, and never within a code span', () => {
    expect(titleOf(`${'a'.repeat(198)}👋👋`, [], {}, 'edit')).toBe(`${'a'.repeat(198)}…`)
    const marked = titleOf(`${'a '.repeat(90)}${'*'.repeat(90)}`)
    expect(marked.length).toBeLessThanOrEqual(200)
    expect(marked).toMatch(/ `\*+…`$/)
  })

  it('is one line with newlines, tabs, control and bidi characters made visible (B39)', () => {
    expect(titleOf('a\r\nb\tc\u001b[0m\u202ed', [], {}, 'edit')).toBe('a⏎b⇥c␛[0m⟨U+202E⟩d')
  })

  it('is never empty: the tool’s name stands for a title of blanks (B39)', () => {
    expect(titleOf(' \n ')).toBe('tool')
    expect(toWireTitle({ title: '', name: 'my_tool', kind: 'other', paths: [], space: posixSpace })).toBe('`my_tool`')
    expect(toCommandTitle(' \n', 'bash')).toEqual({ title: 'bash', altered: false })
  })

  it('looks at a bounded part of a huge title', () => {
    expect(titleOf('x'.repeat(10_000_000), ['/w/a']).length).toBe(200)
  })
})

describe('the title of a command', () => {
  it('keeps its lines (B39)', () => {
    expect(toCommandTitle('cat <<EOF\n*x*\nEOF', 'bash')).toEqual({ title: 'cat <<EOF\n*x*\nEOF', altered: false })
  })

  it('says when it is not the command: cut, or made visible', () => {
    expect(toCommandTitle('x'.repeat(201), 'bash')).toEqual({ title: `${'x'.repeat(199)}…`, altered: true })
    expect(toCommandTitle('a\tb', 'bash')).toEqual({ title: 'a⇥b', altered: true })
  })
})
