import { Document, parseDocument } from 'yaml'

const HEADER = ' Keys of model providers, written by "deckhand login". Readable by you only: keep it so.'

/** The entries of a file of keys. Throws an Error whose message holds nothing of the text. */
export function parseEntries(text: string): Record<string, unknown> {
  const document = parseDocument(text, { prettyErrors: false })
  // A parser's own message quotes the line, which may hold a key.
  if (document.errors.length > 0) throw new Error('it is no valid YAML')
  const entries: unknown = document.toJS({ maxAliasCount: 0 }) ?? {}
  if (typeof entries !== 'object' || entries === null || Array.isArray(entries)) {
    throw new Error('it must hold lines of the form provider: key')
  }
  return entries as Record<string, unknown>
}

/** The text with one key set, or removed with `undefined`; all else stays. Undefined if nothing would change. */
export function withEntry(text: string | undefined, provider: string, key: string | undefined): string | undefined {
  const document = text === undefined ? new Document({}) : parseDocument(text)
  if (text === undefined) document.commentBefore = HEADER
  if (document.contents === null) document.contents = document.createNode({}) as unknown as typeof document.contents
  if (document.get(provider) === key) return undefined
  if (key === undefined) document.delete(provider)
  else document.set(provider, key)
  return document.toString({ lineWidth: 0 })
}
