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
  for (const { index, found } of findForms(space, title, [...forms.keys()])) {
    const form = withoutTrailingSeparators(space, found)
    // A lone dot may be a pattern as well: only the last one is the directory.
    if (isDots(form) && lastDots(title, form) !== index) continue
    addText(index)
    parts.push({ text: forms.get(toKey(space, form)) ?? found, isPath: true })
    end = index + found.length
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

// `/w/a.ts` must touch neither `/w/a.tsx`, `/w/a.ts.bak`, `/w/a.ts/b` nor `x/w/a.ts`. Compiled once: an expression with classes
// of all letters for each title would cost more than all else that a card needs.
const BEFORE = /[\p{L}\p{M}\p{N}_.~\\/-]$/u
const AFTER = /\.*[\p{L}\p{M}\p{N}_~+@%$-]/uy

/** Where a form stands in the title as a path of its own, with the separators behind it; the longest of those at one place. */
function* findForms(
  space: PathSpace,
  title: string,
  forms: readonly string[],
): Generator<{ index: number; found: string }> {
  const haystack = toKey(space, title)
  // Lower case may be longer: places would not be those of the title.
  if (haystack.length !== title.length) return
  for (let from = 0; ; ) {
    const places = forms.map(form => haystack.indexOf(form, from)).filter(place => place >= 0)
    if (places.length === 0) return
    const index = Math.min(...places)
    from = index + 1
    if (BEFORE.test(title.slice(Math.max(0, index - 2), index))) continue
    for (const form of forms) {
      const end = haystack.startsWith(form, index) ? endOfForm(space, title, index + form.length) : undefined
      if (end === undefined) continue
      yield { index, found: title.slice(index, end) }
      from = end
      break
    }
  }
}

/** Behind the separators that follow; undefined if the path goes on. */
function endOfForm(space: PathSpace, title: string, end: number): number | undefined {
  const isSeparator = (at: number) => title[at] === '/' || (space.windows && title[at] === '\\')
  const hasOwn = isSeparator(end - 1)
  let at = end
  while (!hasOwn && isSeparator(at)) at++
  if (isSeparator(at)) return undefined
  AFTER.lastIndex = at
  return AFTER.test(title) ? undefined : at
}

function isDots(form: string): boolean {
  return /^\.{1,2}$/.test(form)
}

function lastDots(title: string, form: string): number {
  const places = [...title.matchAll(/(?<![^\s"'(])\.{1,2}(?![^\s"'),:;\\/])/g)].filter(([dots]) => dots === form)
  return places.at(-1)?.index ?? -1
}
