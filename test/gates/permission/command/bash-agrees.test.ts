import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { readCommand } from '../../../../src/gates/permission/command/read-command.js'
import type { Part } from '../../../../src/gates/permission/command/reading.js'

/** Runs each line in a real bash that finds no program, and reports the words of every command it tried to start. */
const RUN_LINES = `
command_not_found_handle() {
  local IFS=$'\\x1f'
  builtin printf '%s\\x1f%s\\x1e' "$line_number" "$*" >&3
}
PATH=/nonexistent
line_number=0
for line in "$@"; do
  (eval "$line") 2>/dev/null </dev/null >/dev/null
  line_number=$((line_number + 1))
done`

const LINES = [
  "a 'b c' d",
  'a "b c"\\ d',
  "a $'\\x{62}'",
  "'a'b\"c\" $'d\\n\\x65'",
  "a $'\\162m' $'\\u0072' $'\\'' $'\\\\'",
  'a #b\nc',
  'a b#c',
  "a '#b' # c",
  'a;b;c',
  'a&&b||c',
  'a | b |& c',
  'a & b',
  '(a; (b); c)',
  '{ a; b; }',
  '{a; b',
  'a {b} {',
  '! a',
  'time a',
  'time -p a b',
  'if ! a; then b; elif a; then c; else d; fi',
  'for i in x y; do a z; done',
  'case x in (x) a ;; y|z) b ;; *) c ;; esac',
  'case x in x) a ;& y) b ;; esac',
  'until a; do b; done',
  'a <<E\nb\nE\nc',
  'a <<-E\n\tb\n\tE\nc',
  "a <<'E'\n$(b)\nE\nc",
  'a <<E; b\nx\nE\nc',
  'a <<E | b\nx\nE',
  'a <<E <<F\nx\nE\ny\nF\nb',
  'a <<"E F"\nb\nE F\nc',
  'a <<< b; c',
  'a 2>&1 b',
  '2>&1 a',
  'a 2 >/dev/null b',
  'a \\\n b',
  "a 'b\\\n' c",
  'a "b\\\nc"',
  'a\\\n\nb',
  'a "\\"" \\" \\$ "\\$x" "\\x"',
  'a "\'" \'"\'',
  'if\\\n a; then b; fi',
  "'if' a; b",
  'then a',
  'a then b; c if',
  'a=b c',
  'a=b',
  'a += b',
  'a ~ "~"',
  'a [ ]',
  'a !b c',
  '!a',
  'a "!b"',
  'a;\n\n;b',
  'a &&\n\n b',
  'a |\n b',
  '\ta\tb',
  'a\vb',
  'a\fb c',
  'a\u00a0b c',
  'a é ñ',
  "a $'b\\0c' d",
  'a "" b',
  'a {b,c}d',
  'coproc a',
  'f() { a; }; f; b',
  'function f { a; }; f',
  'a () (b); a',
  '[[ x ]] && a',
  '((1)) && a',
  'a `b`',
  'a "$(b "$(c)")"',
  'a $(b) <(c)',
  "eval 'a b'; c",
  'trap "a" EXIT',
  'a \\',
  'a "$\\\n(b)"',
]

describe('the commands that are read in a line', () => {
  it('are those that bash runs, or the line is not taken for understood (B62)', async () => {
    const { stdout, output } = spawnSync('bash', ['--norc', '-c', RUN_LINES, 'bash', ...LINES], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
      timeout: 10_000,
    })
    expect(String(stdout)).toBe('')
    const ran = String(output[3])
      .split('\x1e')
      .filter(record => record !== '')
      .map(record => record.split('\x1f'))
    expect(ran.length).toBeGreaterThan(80)
    const missed: unknown[] = []
    for (const [number, ...words] of ran) {
      const line = LINES[Number(number)] ?? ''
      const { parts, obstacles } = await readCommand(line)
      if (obstacles.length > 0) continue
      if (!parts.flatMap(withInner).some(part => fits(part, words))) missed.push({ line, words })
    }
    expect(missed).toEqual([])
  })

  it('are known in most lines, so that the test above looks at something', async () => {
    const readings = await Promise.all(LINES.map(readCommand))
    expect(readings.filter(({ obstacles }) => obstacles.length === 0).length).toBeGreaterThan(40)
  })
})

function withInner(part: Part): Part[] {
  return [part, ...part.inner.flatMap(({ part: own }) => withInner(own))]
}

/** A word that shows only when it runs ends the comparison. */
function fits({ words }: Part, ran: readonly string[]): boolean {
  const known = words.findIndex(({ value }) => value === undefined)
  if (known >= 0) return words.slice(0, known).every(({ value }, index) => value === ran[index])
  return words.length === ran.length && words.every(({ value }, index) => value === ran[index])
}
