/** A piece of a title; a path is one run, blanks included. */
export interface TitlePart {
  text: string
  isPath: boolean
}

const ACTIVE = /[\\`*_[\]<>~|]|&(?:#|\w+;)/
// What starts a block when it stands first: heading, list, quote, rule.
const BLOCK_START = /^(?:#{1,6}|[-+]|\d{1,9}[.)]|-{3,}|={1,}|>.*)$/

/** A one-line title as Markdown that shows it literally: runs that Markdown would read as markup become code spans. */
export function toMarkdownSafe(parts: readonly TitlePart[]): string {
  let isFirst = true
  return toRuns(parts)
    .map(run => {
      if (run.isSpace) return run.text
      const isActive = ACTIVE.test(run.text) || (isFirst && BLOCK_START.test(run.text))
      isFirst = false
      return isActive ? toCodeSpan(run.text) : run.text
    })
    .join('')
}

interface Run {
  text: string
  isSpace: boolean
}

function toRuns(parts: readonly TitlePart[]): Run[] {
  const runs: Run[] = []
  const add = (text: string, isSpace: boolean) => {
    const last = runs.at(-1)
    if (last && last.isSpace === isSpace) last.text += text
    else runs.push({ text, isSpace })
  }
  for (const part of parts) {
    if (part.isPath) add(part.text, false)
    else for (const piece of part.text.match(/ +|[^ ]+/g) ?? []) add(piece, piece.startsWith(' '))
  }
  return runs
}

// A span's fence is longer than any run of backticks inside, and Markdown takes one space off both ends (B36).
function toCodeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(run => run.length))
  const fence = '`'.repeat(longest + 1)
  const needsPadding = /^`|`$/.test(text) || (/^ .* $/.test(text) && text.trim() !== '')
  const inner = needsPadding ? ` ${text} ` : text
  return `${fence}${inner}${fence}`
}
