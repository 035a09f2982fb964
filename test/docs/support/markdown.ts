import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'

export const root = resolve(import.meta.dirname, '../../..')

/** A fenced block; `label` is what follows the language on its first line. `start` and `end` are the place of its text. */
export interface CodeBlock {
  language: string
  label: string
  text: string
  start: number
  end: number
}

export function codeBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(/^(`{3,})([^`\n]*)\n([\s\S]*?)^\1`* *$/gm)].map(match => {
    const [, fence = '', info = '', text = ''] = match
    const [language = '', ...label] = info.trim().split(' ')
    const start = match.index + fence.length + info.length + 1
    return { language, label: label.join(' '), text, start, end: start + text.length }
  })
}

/** The document with other texts in some of its blocks. */
export function withTexts(markdown: string, texts: ReadonlyMap<CodeBlock, string>): string {
  let result = ''
  let at = 0
  for (const [block, text] of [...texts].sort(([a], [b]) => a.start - b.start)) {
    result += markdown.slice(at, block.start) + text
    at = block.end
  }
  return result + markdown.slice(at)
}

/** Text outside fenced blocks. */
export function prose(markdown: string): string {
  return withTexts(markdown, new Map(codeBlocks(markdown).map(block => [block, ''])))
}

export function readDocument(name: string): string {
  return readFileSync(join(root, name), 'utf8')
}

/** Every document of the repository, by its path with slashes. */
export function documents(): string[] {
  const inside = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name =>
      [folder, ...name.split(sep)].join('/'),
    )
  const names = [...readdirSync(root), ...['docs', 'src', 'test', 'fixtures'].flatMap(inside)]
  return names.filter(name => name.endsWith('.md'))
}

/** Files that a document gives: blocks whose label is a file name. */
export function fileBlocks(markdown: string): Map<string, string> {
  const named = codeBlocks(markdown).filter(({ label }) => /^[\w./-]+\.\w+$/.test(label))
  return new Map(named.map(({ label, text }) => [label, text]))
}
