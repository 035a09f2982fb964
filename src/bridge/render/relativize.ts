import type { TitlePart } from './markdown-safe.js'
import { type PathSpace, toAbsolutePath, toShownPath, toSpellings, withoutTrailingSeparators } from './path-space.js'

/**
 * Splits a title into text and paths. Each of `paths` that stands in it, in any spelling and on path-segment boundaries,
 * becomes the form that {@link toShownPath} gives; a path outside becomes absolute.
 */
export function relativizeTitle(space: PathSpace, title: string, paths: readonly string[]): TitlePart[] {
  const forms = toForms(space, title, paths)
  if (forms.size === 0) return [{ text: title, isPath: false }]
  const parts: TitlePart[] = []
  let end = 0
  const addText = (until: number) => {
    if (until > end) parts.push({ text: title.slice(end, until), isPath: false })
  }
  for (const match of title.matchAll(toPattern(space, [...forms.keys()]))) {
    const [found] = match
    const form = withoutTrailingSeparators(space, found)
    // A lone dot may be a pattern as well: only the last one is the directory.
    if (isDots(form) && lastDots(title, form) !== match.index) continue
    addText(match.index)
    parts.push({ text: forms.get(toKey(space, form)) ?? found, isPath: true })
    end = match.index + found.length
  }
  addText(title.length)
  return parts
}

/** What may stand in the title, longest first, and what it becomes. */
function toForms(space: PathSpace, title: string, paths: readonly string[]): Map<string, string> {
  const haystack = toKey(space, title)
  const forms = new Map<string, string>()
  for (const path of new Set(paths)) {
    if (path === '') continue
    const absolute = withoutTrailingSeparators(space, toAbsolutePath(space, path))
    const shown = toShownPath(space, absolute) ?? absolute
    for (const form of [path, ...toSpellings(space, absolute)]) {
      const key = toKey(space, withoutTrailingSeparators(space, form))
      if (haystack.includes(key)) forms.set(key, shown)
    }
  }
  return new Map([...forms].sort(([a], [b]) => b.length - a.length))
}

function toKey(space: PathSpace, form: string): string {
  return space.windows ? form.replaceAll('/', '\\').toLowerCase() : form
}

// `/w/a.ts` must touch neither `/w/a.tsx`, `/w/a.ts.bak`, `/w/a.ts/b` nor `x/w/a.ts`.
function toPattern(space: PathSpace, forms: string[]): RegExp {
  const slash = space.windows ? '[\\\\/]' : '/'
  const name = '[\\p{L}\\p{M}\\p{N}_~+@%$-]'
  const escaped = forms.map(form => {
    const literal = form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    return space.windows ? literal.replaceAll('\\\\', slash) : literal
  })
  const before = `(?<![\\p{L}\\p{M}\\p{N}_.~\\\\/-])`
  const after = `(?:(?<!${slash})${slash}+)?(?!${slash}|\\.*${name})`
  return new RegExp(`${before}(?:${escaped.join('|')})${after}`, space.windows ? 'giu' : 'gu')
}

function isDots(form: string): boolean {
  return /^\.{1,2}$/.test(form)
}

function lastDots(title: string, form: string): number {
  const places = [...title.matchAll(/(?<![^\s"'(])\.{1,2}(?![^\s"'),:;\\/])/g)].filter(([dots]) => dots === form)
  return places.at(-1)?.index ?? -1
}
