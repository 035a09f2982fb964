/**
 * A Markdown code block around `text`. The fence is longer than any run of backticks inside (B36); the block does not end in
 * a newline. `info` names the language.
 */
export function fence(text: string, info = ''): string {
  let longest = 2
  for (const run of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run[0].length)
  const marks = '`'.repeat(longest + 1)
  const newline = text === '' || text.endsWith('\n') ? '' : '\n'
  return `${marks}${info.replace(/[`\r\n]/g, '')}\n${text}${newline}${marks}`
}
