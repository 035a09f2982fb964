import { isUtf8 } from 'node:buffer'

const BOM = '\uFEFF'
const NOT_CRLF = /(?<!\r)\n|\r(?!\n)/

/** How a text with LF line endings and no byte order mark stands in the bytes of a file. */
export interface TextForm {
  readonly hasMark: boolean
  readonly ending: '\n' | '\r\n'
}

/** The form of a file that is not there yet. */
export const NEW_FORM: TextForm = { hasMark: false, ending: '\n' }

/** A text in LF, and the form it came in. */
export interface BufferText {
  readonly text: string
  readonly form: TextForm
}

/**
 * Text and form of a file's bytes, if LF text carries them without loss: UTF-8 throughout, no NUL, line endings all LF or
 * all CRLF. Undefined for mixed ones and a lone CR.
 */
export function toBufferText(bytes: Buffer): BufferText | undefined {
  if (!isUtf8(bytes) || bytes.includes(0)) return undefined
  const raw = bytes.toString('utf8')
  return raw.includes('\r') && NOT_CRLF.test(raw) ? undefined : fromEditor(raw)
}

/** What an editor gave, with or without mark and CRLF. A lone CR stays. */
export function fromEditor(raw: string): BufferText {
  const hasMark = raw.startsWith(BOM)
  const text = hasMark ? raw.slice(1) : raw
  const ending = text.includes('\r\n') ? '\r\n' : '\n'
  return { text: text.replaceAll('\r\n', '\n'), form: { hasMark, ending } }
}

/** True if a buffer has the text of its file. Some editors do not give the last newline, so a missing one is no change. */
export function isTextOf(file: string, buffer: string): boolean {
  return file === buffer || file === `${buffer}\n`
}

/** The text with the form's mark and line endings. */
export function toFormText(text: string, { hasMark, ending }: TextForm): string {
  const body = ending === '\n' ? text : text.replaceAll('\n', ending)
  return hasMark ? BOM + body : body
}

/** The bytes of a text in a form. */
export function toFormBytes(text: string, form: TextForm): Buffer {
  return Buffer.from(toFormText(text, form))
}

/** The LF text that gives exactly these bytes in this form; undefined if none does. */
export function toTextOfForm(bytes: Buffer, form: TextForm): string | undefined {
  const text = toBufferText(bytes)?.text
  return text !== undefined && toFormBytes(text, form).equals(bytes) ? text : undefined
}
