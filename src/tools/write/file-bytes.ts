import type { FileContent } from '../../workspace/index.js'

/**
 * The bytes to write for `content`: with the byte order mark and the line endings of the file it replaces (its commonest
 * ones if they are mixed). A new file gets `content` as it is, and never a mark (B05).
 */
export function toFileBytes(content: string, replaced: FileContent | null): Buffer {
  const body = content.startsWith('\uFEFF') ? content.slice(1) : content
  if (replaced === null) return Buffer.from(body)
  const ending = commonestEnding(replaced.text ?? '')
  const converted = ending === undefined ? body : body.replace(/\r\n|\n/g, ending)
  const marked = replaced.type.kind === 'text' && replaced.type.bomBytes > 0
  return Buffer.from(marked ? `\uFEFF${converted}` : converted)
}

function commonestEnding(text: string): string | undefined {
  let lf = 0
  let crlf = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (text[at - 1] === '\r') crlf += 1
    else lf += 1
  }
  if (lf + crlf === 0) return text.includes('\r') ? '\r' : undefined
  return crlf > lf ? '\r\n' : '\n'
}
