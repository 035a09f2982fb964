import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as edit from '../../../src/tools/edit/index.js'
import { replaceText } from '../../../src/tools/edit/replace.js'
import { toReplacements } from '../../../src/tools/edit/replacements.js'
import { openWorkbench } from '../../support/workbench.js'

async function editBytes(content: string | Uint8Array, args: Record<string, unknown>) {
  const bench = await openWorkbench(edit)
  await bench.put('f', content)
  const outcome = await bench.call('edit', { path: 'f', ...args })
  return { ...outcome, bytes: await bench.bytes('f'), before: Buffer.from(content) }
}

describe('bytes that edit leaves alone', () => {
  it('matches LF text in a CRLF file and keeps its endings (B02)', async () => {
    const done = await editBytes('a\r\nb\r\nc\r\n', { old_string: 'a\nb\n', new_string: 'a\nB\n' })
    expect(done.bytes.toString()).toBe('a\r\nB\r\nc\r\n')
    expect(done.resultCard).toMatchObject({ diffs: [{ oldText: 'a\nb\nc\n', newText: 'a\nB\nc\n', line: 2 }] })
  })

  it.each([
    ['inserts lines with the ending of the file', 'a\r\nb\r\n', 'a', 'a\nx\ny', 'a\r\nx\r\ny\r\nb\r\n'],
    ['adds no blank line when the new text ends in a newline', 'a\r\nb\r\n', 'a\n', 'A\nB\n', 'A\r\nB\r\nb\r\n'],
    ['takes CRLF in the arguments for an LF file', 'a\nb\nc\n', 'a\r\nb\r\n', 'a\r\nB\r\nx\r\n', 'a\nB\nx\nc\n'],
    ['keeps each ending of a mixed file', 'a\r\nb\nc\r\nd\n', 'b\nc\nd', 'b\nC\nd', 'a\r\nb\nC\r\nd\n'],
    ['gives an inserted line the ending of the line before', 'a\r\nb\nc\n', 'a\n', 'a\nx\n', 'a\r\nx\r\nb\nc\n'],
    ['deletes whole line endings', 'a\r\nb\r\nc\r\n', 'b\n', '', 'a\r\nc\r\n'],
    ['joins lines', 'a\r\nb\r\n', 'a\nb', 'ab', 'ab\r\n'],
    ['replaces the newline before a text', 'a\r\nb\r\n', '\nb', '\nB', 'a\r\nB\r\n'],
    ['keeps a missing final newline', 'a\nb', 'b', 'B', 'a\nB'],
    ['adds a final newline', 'a\nb', 'a\nb', 'a\nb\n', 'a\nb\n'],
    ['removes a final newline', 'a\nb\n', 'b\n', 'b', 'a\nb'],
    ['leaves a lone CR in text alone', 'p\r50%\r\nq\n', 'q', 'Q', 'p\r50%\r\nQ\n'],
    ['knows files whose endings are all CR', 'a\rb\rc', 'a\nb\n', 'a\nB\nx\n', 'a\rB\rx\rc'],
  ])('%s (B02, B06)', async (_what, content, oldString, newString, expected) => {
    const done = await editBytes(content, { old_string: oldString, new_string: newString })
    expect(done.text).toMatch(/^Edited f: 1 replacement/)
    expect(done.bytes.toString()).toBe(expected)
  })

  it('keeps every ending with replace_all in a mixed file', async () => {
    const args = { old_string: 'x\n', new_string: 'y\ny\n', replace_all: true }
    const done = await editBytes('x\r\n-\nx\n-\r\nx\r\n', args)
    expect(done.bytes.toString()).toBe('y\r\ny\r\n-\ny\ny\n-\r\ny\r\ny\r\n')
  })

  it('matches the first line behind a byte order mark and keeps exactly one (B05)', async () => {
    const done = await editBytes('\uFEFFparam($x)\n', { old_string: 'param($x)', new_string: 'param($y)' })
    expect(done.bytes).toEqual(Buffer.from('\uFEFFparam($y)\n'))
    expect(done.resultCard).toMatchObject({ diffs: [{ oldText: 'param($x)\n', newText: 'param($y)\n' }] })
    const copied = await editBytes('\uFEFFa\n', { old_string: '\uFEFFa', new_string: '\uFEFFb' })
    expect(copied.bytes).toEqual(Buffer.from('\uFEFFb\n'))
  })

  it('shows a change of only the final newline as one hunk without a marker line (B06)', async () => {
    const done = await editBytes('a\nb', { old_string: 'b', new_string: 'b\n' })
    expect(done.resultCard).toEqual({
      card: 'diff',
      diffs: [{ path: expect.any(String), oldText: 'a\nb', newText: 'a\nb\n', line: 2 }],
    })
  })

  it('edits the ASCII parts of a file that is not UTF-8, byte for byte', async () => {
    const latin1 = Buffer.from('caf\xe9\nname = old\n', 'latin1')
    const done = await editBytes(latin1, { old_string: 'old', new_string: 'new' })
    expect(done.bytes).toEqual(Buffer.from('caf\xe9\nname = new\n', 'latin1'))
  })

  it('refuses binary files and UTF-16 and leaves them alone (B66)', async () => {
    for (const content of [Buffer.from('a\0b'), Buffer.from('\uFEFFa', 'utf16le'), Buffer.from('%PDF-1.7 a')]) {
      const failed = await editBytes(content, { old_string: 'a', new_string: 'b' })
      expect(failed).toMatchObject({ isError: true, code: 'BINARY_FILE' })
      expect(failed.bytes).toEqual(content)
    }
  })

  it('changes nothing before and after the match, whatever the endings are', async () => {
    const textOf = (...pieces: string[]) =>
      fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map(all => all.join(''))
    const held = textOf('a', 'b', 'é', '\n', '\r\n', '\r')
    const run = fc.asyncProperty(held, held, textOf('a', 'é', '\n', '\r\n'), async (before, after, inserted) => {
      const bytes = Buffer.from(`${before}MATCH${after}`)
      const [replacement] = toReplacements({ path: 'f', old_string: 'MATCH', new_string: `<${inserted}>` })
      const replaced = await replaceText(bytes, 0, replacement!)
      const result = replaced.bytes.toString()
      expect(result.startsWith(`${before}<`)).toBe(true)
      expect(result.endsWith(`>${after}`)).toBe(true)
      const flat = (text: string) => text.replace(/\r\n|\r/g, '\n')
      const middle = result.slice(before.length + 1, result.length - after.length - 1)
      expect(flat(middle)).toBe(flat(inserted))
    })
    await fc.assert(run)
  })
})
