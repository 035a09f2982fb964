/** Deeper arguments are refused: whatever walks them later may recurse. */
const MAX_DEPTH = 100

/** A slice of lines that holds one whole object, and what follows it on its last line; or why there is none. */
export type JsonObjectText = { text: string; after: string; next: number } | { problem: string }

/**
 * The JSON object that begins with `rest`, the end of line `at`, and may go on over further lines. Strings are respected;
 * whether the slice is JSON is for JSON.parse to say.
 */
export function readJsonObject(lines: readonly string[], at: number, rest: string): JsonObjectText {
  const parts: string[] = []
  let depth = 0
  let inString = false
  for (let index = at; index < lines.length; index++) {
    const line = index === at ? rest : (lines[index] ?? '')
    for (let column = 0; column < line.length; column++) {
      const character = line.charAt(column)
      if (inString) {
        if (character === '\\') column++
        else if (character === '"') inString = false
      } else if (character === '"') inString = true
      else if (character === '{' || character === '[') depth++
      else if (character === '}' || character === ']') depth--
      if (depth > MAX_DEPTH) return { problem: `the JSON object is nested deeper than ${MAX_DEPTH} levels` }
      if (depth === 0) {
        parts.push(line.slice(0, column + 1))
        return { text: parts.join('\n'), after: line.slice(column + 1), next: index + 1 }
      }
    }
    parts.push(line)
  }
  return { problem: 'the JSON object is not closed' }
}
