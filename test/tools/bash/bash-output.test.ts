import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bash, programs, startBash } from './bash-support.js'

const KIB = 1024
const MIB = 1024 * KIB
let bash: Bash

beforeEach(async () => {
  bash = await startBash()
})

afterEach(async () => {
  await bash.close()
})

describe('output', () => {
  it.each([
    ['stdout', 1],
    ['stderr', 1],
    ['stdout', 50_000],
    ['stderr', 50_000],
  ])('on %s keeps %d characters whole that come in pieces (B29)', async (stream, copies) => {
    const { terminal } = await bash.run({ command: `node ${programs}/split-utf8.mjs ${stream} ${copies}` })
    expect(terminal).toBe('你'.repeat(copies))
  })

  it('of both streams keeps a character whole that the other stream interrupts (B29)', async () => {
    const { terminal } = await bash.run({
      command: `node ${programs}/split-utf8.mjs stdout 1 200 & sleep 0.15; echo between >&2; wait`,
    })
    expect(terminal.replace('between\n', '')).toBe('你')
  })

  it('ends with one replacement character if its last one is cut off (B29)', async () => {
    const { text, terminal } = await bash.run({ command: "printf 'a\\344\\275'" })
    expect([text, terminal]).toEqual(['a\ufffd', 'a\ufffd'])
  })

  it('with progress by carriage returns is raw in the terminal and folded for the model (B30)', async () => {
    const { text, terminal } = await bash.run({ command: "printf '10%%\\r50%%\\r100%%\\ndone\\n'" })
    expect(text).toBe('100%\ndone\n')
    expect(terminal).toBe('10%\r50%\r100%\ndone\n')
    expect((await bash.run({ command: "printf 'a\\r\\nb\\r\\n'" })).text).toBe('a\nb\n')
  })

  it('has its colours in the terminal and none for the model', async () => {
    const { text, terminal } = await bash.run({ command: "printf '\\033[31mred\\033[0m\\n'" })
    expect([text, terminal]).toEqual(['red\n', '\x1b[31mred\x1b[0m\n'])
  })

  it('has no fence around it, and fences of its own stay (B36)', async () => {
    const { text, terminal } = await bash.run({ command: "printf '```\\n````\\n`````\\n'" })
    expect([text, terminal]).toEqual(['```\n````\n`````\n', '```\n````\n`````\n'])
  })

  it('that is binary is named and not dumped, and what can be read stays', async () => {
    const { text } = await bash.run({ command: `node ${programs}/binary.mjs` })
    expect(text).toMatch(/^\[binary output: 2534 bytes that are no UTF-8 text; .*\]\nsaved no file$/)
  })

  it('with single NULs is text', async () => {
    expect((await bash.run({ command: "printf 'first file\\0second file\\0'" })).text).toBe('first file␀second file␀')
  })

  it('over 64 KiB comes back as head and tail with the count of what is left out (B33)', async () => {
    const { result, text, terminal } = await bash.run({ command: 'seq 1 200000; exit 2' })
    const total = Buffer.byteLength(terminal)
    const match =
      /^(?<head>1\n2\n.*\n)\[(?<count>\d+) bytes left out\]\n(?<tail>\d+\n.*\n200000\n)\[exit code 2\]$/s.exec(text)
    const { head, count, tail } = match!.groups as { head: string; count: string; tail: string }
    expect(head.length + tail.length + Number(count)).toBe(total)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64 * KIB)
    expect(Buffer.byteLength(text)).toBeGreaterThan(60 * KIB)
    expect(result.meta).toMatchObject({ exitCode: 2, outputBytes: total, leftOutBytes: Number(count) })
  })

  it('is within the bound whatever its characters are', async () => {
    for (const character of ['你', '\\377', '\\033', '\\0a', '\\n']) {
      const { text } = await bash.run({ command: `printf '${character}%.0s' $(seq 40000); exit 1` })
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64 * KIB)
      expect(text).toMatch(/(^|\n)\[exit code 1\]$/)
    }
  })

  it('of 500 MB does not stay in memory (B33)', async () => {
    let most = 0
    let bytes = 0
    const before = process.memoryUsage().rss
    const { result, text } = await bash.run(
      { command: 'yes | head -c 500000000; echo end' },
      {
        onProgress: progress => {
          if ('output' in progress) bytes += progress.output.length
          most = Math.max(most, process.memoryUsage.rss() - before)
        },
      },
    )
    expect(bytes).toBe(500_000_004)
    expect(result).toMatchObject({ isError: false, meta: { exitCode: 0, outputBytes: bytes } })
    expect(text.endsWith('y\nend\n')).toBe(true)
    expect(most).toBeLessThan(150 * MIB)
  })
})
