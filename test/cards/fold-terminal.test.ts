import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldTerminal } from '../../src/cards/index.js'

describe('foldTerminal', () => {
  it.each([
    ['10%\r50%\r100%\ndone\n', '100%\ndone\n', 'progress is collapsed to its last state (B30)'],
    ['a\r\nb\r\n', 'a\nb\n', 'CRLF is no overwrite (B30)'],
    ['a\r\r\nb', 'a\nb', 'nor is a doubled carriage return before a newline (B30)'],
    ['100%\r5%', '5%0%', 'shorter text overwrites only its own length, as on a screen (B30)'],
    ['Downloading 9%\r\x1b[Kdone', 'done', 'erase-in-line clears what is right of the cursor (B30)'],
    ['long line\x1b[2K\rdone\n', 'done\n', 'erase of the whole line (B30)'],
    ['abc\x1b[1Gx', 'xbc', 'cursor to a column (B30)'],
    ['abc\x1b[2Dx\x1b[1Cy', 'axcy', 'cursor left and right (B30)'],
    ['abc\x1b[99Dx\x1b[99999999Cy', 'xbcy', 'the cursor stays within the line'],
    ['working...\rdone      \n', 'done\n', 'blanks left by an overwrite go'],
    ['kept  \n', 'kept  \n', 'other blanks stay'],
    ['N\bNA\bAM\bM', 'NAM', 'overstrike of manual pages'],
    ['ab\b \b', 'a', 'a rubbed-out character goes'],
    ['\b\b\bx', 'x', 'a backspace at the start of a line stays there'],
    ['\x1b[1;31mred\x1b[0m and \x1b[38;5;12mblue\x1b[m', 'red and blue', 'colours go'],
    ['\x1b]0;title\x07text', 'text', 'a title sequence goes'],
    ['\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\', 'link', 'a hyperlink keeps its text'],
    ['\x1b]0;never ended\nnext\n', '\nnext\n', 'an unterminated string takes no more than its line'],
    ['\x1b(B\x1b7\x1b=text\x1bM', 'text', 'short escapes go'],
    ['a\x00b\x07c\x7fd\x0ce\u0085f\x9b31mg', 'abcdefg', 'control codes go, C1 included'],
    ['text\x1b[3', 'text', 'a sequence cut off at the end goes'],
    ['a\tb\n\tc', 'a\tb\n\tc', 'tabs stay'],
    ['日本語\r中\n', '中本語\n', 'a cell is a code point'],
    ['🙂🙂\rx', 'x🙂', 'a pair is never split'],
    ['', '', 'nothing'],
  ])('%j becomes %j: %s', (output, folded) => {
    expect(foldTerminal(output)).toBe(folded)
  })

  const pieces = fc.array(
    fc.constantFrom(
      'a',
      'Zz',
      ' ',
      '\n',
      '\r\n',
      '\r',
      '\b',
      '\t',
      '\x1b',
      '\x1b[',
      '\x1b[K',
      '\x1b[2K',
      '\x1b[3C',
      '\x1b]',
      ';1',
      'm',
      '\x07',
      '\x9b',
      '🙂',
      '\ud83d',
      '\x00',
    ),
    { maxLength: 60 },
  )

  it('leaves no control code, no lone surrogate, and never makes text longer', () => {
    fc.assert(
      fc.property(pieces, parts => {
        const folded = foldTerminal(parts.join(''))
        expect(folded).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]|\p{Cs}/u)
        expect(folded.length).toBeLessThanOrEqual(parts.join('').length)
      }),
    )
  })

  it('keeps every line and changes nothing when applied again', () => {
    fc.assert(
      fc.property(pieces, parts => {
        const folded = foldTerminal(parts.join(''))
        expect(folded.split('\n')).toHaveLength(parts.join('').split('\n').length)
        expect(foldTerminal(folded)).toBe(folded)
      }),
    )
  })

  it('leaves plain text as it is', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', ' ', '\t', '\n', 'é', '🙂', '[31m')), parts => {
        expect(foldTerminal(parts.join(''))).toBe(parts.join(''))
      }),
    )
  })

  it.each([
    ['carriage returns', '\r'],
    ['overwrites', 'ab\r'],
    ['escapes', '\x1b'],
    ['unfinished sequences', '\x1b['],
    ['erasures', `${'x'.repeat(200)}\x1b[1K\x1b[2K`],
    ['unterminated strings', '\x1b]'],
  ])('folds a mebibyte of %s', (_name, piece) => {
    expect(foldTerminal(`${piece.repeat(2 ** 20 / piece.length)}\nend`)).toMatch(/\nend$/)
  })
})
