/**
 * The rules of a .gitignore that lies in `prefix` (`a/b`, or empty for the top), written so that they hold from the top
 * of the tree. One list from the top down lets the last rule that matches decide, as in git.
 */
export function toTopRules(text: string, prefix: string): string[] {
  const rules: string[] = []
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    if (line === '' || line.startsWith('#')) continue
    rules.push(prefix === '' ? line : toTopRule(line, escapeSegments(prefix)))
  }
  return rules
}

function toTopRule(line: string, prefix: string): string {
  const negated = line.startsWith('!')
  const body = (negated ? line.slice(1) : line).replace(/^\\([!#])/, '$1')
  const inner = withoutTrailingSpaces(body).slice(0, -1)
  const anchored = inner.includes('/')
  const rule = anchored ? body.replace(/^\//, '') : `**/${body}`
  return `${negated ? '!' : ''}/${prefix}/${rule}`
}

// Trailing spaces do not count unless escaped; `foo/ ` has no inner slash.
function withoutTrailingSpaces(body: string): string {
  let end = body.length
  while (end > 0 && body[end - 1] === ' ' && body[end - 2] !== '\\') end--
  return body.slice(0, end)
}

function escapeSegments(prefix: string): string {
  return prefix.replace(/[\\*?[\]]/g, '\\$&')
}
