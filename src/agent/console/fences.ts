/** A fenced block of a prompt: its text is its lines with their newlines. `next` is the line after the closing fence. */
export type Fence = { closed: true; text: string; next: number } | { closed: false }

/**
 * The fenced block that opens at line `at`, undefined if none does. As in Markdown, a fence is three or more backticks or
 * tildes, and closes at a line of at least as many.
 */
export function readFence(lines: readonly string[], at: number): Fence | undefined {
  const fence = openingFence(lines[at] ?? '')
  if (fence === undefined) return undefined
  for (let end = at + 1; end < lines.length; end++) {
    if (closesFence(lines[end] ?? '', fence)) {
      const body = lines.slice(at + 1, end)
      return { closed: true, text: body.map(line => `${line}\n`).join(''), next: end + 1 }
    }
  }
  return { closed: false }
}

/**
 * Several blocks of one call are slices of one text: they lose their last newline together, so that a slice may end within
 * a line. If one of them is empty it has none to lose, and the others keep theirs: a whole line can be removed.
 */
export function withoutSharedNewline(texts: readonly string[]): string[] {
  const together = texts.length > 1 && texts.every(text => text.endsWith('\n'))
  return together ? texts.map(text => text.slice(0, -1)) : [...texts]
}

function openingFence(line: string): string | undefined {
  const match = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line)
  if (match === null) return undefined
  const [, fence = '', info = ''] = match
  // Text such as ```one line``` is inline code, no fence.
  return fence.startsWith('`') && info.includes('`') ? undefined : fence
}

function closesFence(line: string, fence: string): boolean {
  const match = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line)
  return match?.[1]?.charAt(0) === fence.charAt(0) && match[1].length >= fence.length
}
