import { type Finding, isFields } from './check-frame.js'
import { WireChecker } from './checker.js'

/** A finding in a file; lines count from 1. */
export interface LineFinding extends Finding {
  line: number
}

/**
 * Checks a transcript: one JSON object on each line, either `{dir: 'in' | 'out', msg}` or a bare message, whose direction is
 * inferred. Blank lines are skipped.
 */
export async function* checkTranscript(
  lines: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<LineFinding, void> {
  const checker = new WireChecker()
  let line = 0
  for await (const text of lines) {
    line++
    if (text.trim() === '') continue
    for (const finding of checkLine(checker, text)) yield { ...finding, line }
  }
  for (const finding of checker.end()) yield { ...finding, line }
}

function checkLine(checker: WireChecker, text: string): Finding[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return [{ rule: 13, text: 'not JSON' }]
  }
  if (isFields(value) && (value.dir === 'in' || value.dir === 'out'))
    return checker.check({ dir: value.dir, msg: value.msg })
  return checker.check({ dir: checker.directionOf(value) ?? 'out', msg: value })
}
