import { execFileSync } from 'node:child_process'
import { mkdir, open, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import * as read from '../../../src/tools/read/index.js'
import { isPosix } from '../../support/platform.js'
import { copyTree } from '../../support/tree.js'
import { openWorkbench } from '../../support/workbench.js'

async function openEncodings() {
  const bench = await openWorkbench(read)
  await copyTree('encodings', bench.dir)
  return bench
}

describe('read', () => {
  it('shows lines with their numbers and where the file is', async () => {
    const bench = await openEncodings()
    const done = await bench.call('read', { path: 'mixed.txt' })
    expect(done.text).toBe('     1\tone\n     2\t\n     3\t\tthree\n     4\tvier ä')
    expect(done.meta).toMatchObject({ firstLine: 1, lastLine: 4, lineCount: 4, more: false })
    expect(done.callCard).toEqual({
      card: 'generic',
      kind: 'read',
      title: 'Read mixed.txt',
      locations: [{ path: 'mixed.txt', line: 1 }],
    })
    expect(done.resultCard).toEqual({
      card: 'generic',
      content: [{ type: 'text', text: `\`\`\`\n${done.text}\n\`\`\`` }],
    })
  })

  it('reads a part and says how to go on', async () => {
    const bench = await openWorkbench(read)
    await bench.put('n.txt', Array.from({ length: 50 }, (_, n) => `line ${n + 1}\n`).join(''))
    const part = await bench.call('read', { path: 'n.txt', offset: 10, limit: 2 })
    expect(part.text).toBe('    10\tline 10\n    11\tline 11\n[Lines 10-11 of 50. To go on: offset 12.]')
    expect(part.callCard).toMatchObject({ title: 'Read n.txt (lines 10-11)', locations: [{ line: 10 }] })
    const rest = await bench.call('read', { path: 'n.txt', offset: 49 })
    expect(rest.text).toBe('    49\tline 49\n    50\tline 50')
    expect(rest.callCard).toMatchObject({ title: 'Read n.txt (from line 49)' })
  })

  it('reads 2,000 lines by default and at most about 64 KiB', async () => {
    const bench = await openWorkbench(read)
    await bench.put('many.txt', 'x\n'.repeat(5000))
    expect((await bench.call('read', { path: 'many.txt' })).text).toMatch(
      /Lines 1-2000 of 5000. To go on: offset 2001.\]$/,
    )
    await bench.put('wide.txt', `${'x'.repeat(1000)}\n`.repeat(500))
    const wide = await bench.call('read', { path: 'wide.txt', limit: 500 })
    expect(wide.text.length).toBeLessThan(70_000)
    expect(wide.text).toMatch(/Lines 1-65 of 500. To go on: offset 66.\]$/)
    await bench.put('empty-lines.txt', '\n'.repeat(1_000_000))
    const empty = await bench.call('read', { path: 'empty-lines.txt', limit: 1_000_000 })
    expect(empty.text.length).toBeLessThan(70_000)
    expect(empty.meta).toMatchObject({ lineCount: 1_000_000 })
  })

  it('says that a file is empty, and that an offset is past the end', async () => {
    const bench = await openEncodings()
    const empty = await bench.call('read', { path: 'empty.txt' })
    expect(empty).toMatchObject({ isError: false, text: '[The file is empty.]' })
    const past = await bench.call('read', { path: 'no-newline.txt', offset: 5 })
    expect(past.text).toBe('[The file has 2 lines: offset 5 is past its end.]')
  })

  it('shows no byte order mark (B05)', async () => {
    const bench = await openEncodings()
    expect((await bench.call('read', { path: 'bom.ps1' })).text).toBe('     1\tparam($x)')
  })

  it('cuts one line of 5 MB on a character, says how to see more, and does not offer the same line again (B66)', async () => {
    const bench = await openWorkbench(read)
    await bench.put('min.js', `${'é'.repeat(2_500_000)}\nlast\n`)
    const done = await bench.call('read', { path: 'min.js', limit: 1 })
    expect(done.text.length).toBeLessThan(5000)
    expect(done.text).not.toContain('\uFFFD')
    expect(done.text).toContain('[Line 1 is cut after 4096 of 5000000 bytes.')
    expect(done.text).toContain('sed -n 1p min.js | cut -b 4097-8192')
    expect(done.text).toMatch(/Lines 1-1 of 2. To go on: offset 2.\]$/)
  })

  it('tells line endings apart that fall between two pieces of the file', async () => {
    const bench = await openWorkbench(read)
    await bench.put('f', `${'x'.repeat(256 * 1024 - 1)}\r\nsecond\rthird\n`)
    const done = await bench.call('read', { path: 'f', offset: 2 })
    expect(done.text).toBe('     2\tsecond\n     3\tthird')
  })

  it('counts lone CR as editors do, with the same numbers before, in and after the range', async () => {
    const bench = await openEncodings()
    for (const range of [{}, { limit: 1 }, { offset: 4 }, { offset: 9 }]) {
      expect((await bench.call('read', { path: 'lone-cr.txt', ...range })).meta).toMatchObject({ lineCount: 4 })
    }
  })

  it('decodes UTF-16 that has a byte order mark, and says so (B66)', async () => {
    const bench = await openEncodings()
    const done = await bench.call('read', { path: 'utf-16le.txt' })
    expect(done.text).toMatch(/^ {5}1\tgrüß\n {5}2\tdich\n\[The file is UTF-16LE, shown decoded\./)
    expect((await bench.call('read', { path: 'utf-16be.txt' })).text).toContain('     1\thi\n[The file is UTF-16BE')
  })

  it('shows text that is not UTF-8 with a note', async () => {
    const bench = await openEncodings()
    expect((await bench.call('read', { path: 'latin-1.txt' })).text).toMatch(/caf\uFFFD\n\[The file is not valid UTF-8/)
  })

  it.each([
    ['a PDF with an ASCII head', '%PDF-1.7\n% all ASCII\n', 'a PDF document'],
    [
      'a PNG head and zeros',
      Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64)]),
      'binary data',
    ],
    ['bytes with a NUL', 'a\0b', 'binary data'],
    ['control bytes', Buffer.alloc(100, 1), 'binary data'],
    ['binary data after a start of text', `${'text\n'.repeat(3000)}\0\x01`, 'binary data after a start of text'],
  ])('refuses %s in a few words (B66)', async (_what, content, named) => {
    const bench = await openWorkbench(read)
    await bench.put('f', content)
    const failed = await bench.call('read', { path: 'f', limit: 9000 })
    expect(failed).toMatchObject({ isError: true, code: 'BINARY_FILE' })
    expect(failed.text).toContain(named)
    expect(failed.text.length).toBeLessThan(200)
  })

  it('refuses a sparse file of 1 GB by its head (B66)', async () => {
    const bench = await openWorkbench(read)
    const handle = await open(bench.path('sparse'), 'w')
    await handle.truncate(1024 ** 3)
    await handle.close()
    const failed = await bench.call('read', { path: 'sparse' })
    expect(failed).toMatchObject({ code: 'BINARY_FILE', text: expect.stringContaining('1.0 GiB') })
  })

  it('reads the start of a text of over 50 MiB without the rest, and does not count as having seen it', async () => {
    const bench = await openWorkbench(read)
    const handle = await open(bench.path('big.log'), 'w')
    for (let n = 0; n < 60; n++) await handle.write(`${'y'.repeat(1023)}\n`.repeat(1024))
    await handle.close()
    const done = await bench.call('read', { path: 'big.log', limit: 2 })
    expect(done.text).toMatch(/\[Lines 1-2 of a file of 60.0 MiB. To go on: offset 3.\]$/)
    expect(done.meta).not.toHaveProperty('seen')
  })

  it('refuses a directory, and a path that ends like one', async () => {
    const bench = await openWorkbench(read)
    await mkdir(bench.path('dir'))
    for (const path of ['dir', 'dir/', '.']) {
      expect(await bench.call('read', { path })).toMatchObject({ isError: true, code: 'NOT_A_FILE' })
    }
    expect((await bench.call('read', { path: 'dir' })).text).toContain('dir is a directory, not a file.')
  })

  it.runIf(isPosix)('refuses a FIFO, a socket and a device without waiting for them (B66)', async () => {
    const bench = await openWorkbench(read)
    execFileSync('mkfifo', [bench.path('fifo')])
    const server = createServer().listen(bench.path('socket'))
    await new Promise(resolve => server.once('listening', resolve))
    expect(await bench.call('read', { path: 'fifo' })).toMatchObject({ code: 'NOT_A_FILE' })
    expect((await bench.call('read', { path: 'fifo' })).text).toContain('a FIFO')
    expect((await bench.call('read', { path: 'socket' })).text).toContain('a socket')
    await new Promise(resolve => server.close(resolve))
    const device = await bench.call('read', { path: '/dev/zero' }, { agent: null })
    expect(device).toMatchObject({ code: 'NOT_A_FILE', text: expect.stringContaining('a device') })
    expect((await bench.call('read', { path: '/dev/zero' })).code).toBe('OUTSIDE_WORKSPACE')
    await symlink('/dev/zero', bench.path('zero'))
    expect((await bench.call('read', { path: 'zero' })).code).toBe('OUTSIDE_WORKSPACE')
  })

  it('says in one sentence that a file is missing', async () => {
    const bench = await openWorkbench(read)
    const failed = await bench.call('read', { path: 'no/such.txt' })
    expect(failed).toMatchObject({ code: 'NOT_FOUND', text: 'Cannot read no/such.txt: no such file or directory.' })
  })

  it.each([{ offset: -1 }, { limit: 0 }, { offset: 1.5 }, { limit: '5' }])('refuses %j', async range => {
    const bench = await openWorkbench(read)
    await bench.put('f', 'a\n')
    expect((await bench.call('read', { path: 'f', ...range })).code).toBe('INVALID_ARGS')
  })

  it('takes offset 0 for the first line', async () => {
    const bench = await openWorkbench(read)
    await bench.put('f', 'a\n')
    expect(await bench.call('read', { path: 'f', offset: 0 })).toMatchObject({
      text: '     1\ta',
      callCard: { title: 'Read f', locations: [{ line: 1 }] },
    })
  })

  it('may run beside other calls, and says what it reads', async () => {
    const bench = await openWorkbench(read)
    expect(bench.ctx.tools.isConcurrencySafe('read', { path: 'f' })).toBe(true)
    expect(bench.ctx.tools.effects('read', { path: 'f' })).toEqual({ reads: ['f'] })
  })
})
