import { toAlwaysPattern, toExactPattern } from './always-pattern.js'
import type { CommandRule } from './decision.js'
import { toLookCall } from './look-call.js'
import { findLookTrouble, findPathWordTrouble, type Place } from './look-paths.js'
import { matchAllowRule } from './match-rule.js'
import { findNeverAlways } from './never-always.js'
import { findProgramTrouble } from './program-place.js'
import type { Part } from './reading.js'

/** What is found about one part of a line that no deny or ask rule fits. */
export type Judgement = { readonly looks: boolean } & (
  | { readonly by: 'look' }
  | { readonly by: 'rule'; readonly rule: CommandRule }
  | {
      readonly by: undefined
      readonly row: 'looks-only' | 'never-always' | 'other-command'
      readonly because: string
      readonly always: readonly string[] | undefined
    }
)

/** Whether a part is allowed: by a rule, or because it only looks; a part within another needs it for itself. */
export async function judgePart(part: Part, allow: readonly CommandRule[], place: Place): Promise<Judgement> {
  const { words, inner } = part
  const known = part.hasUnknownInput || inner.length > 0 ? undefined : toLookCall(words)
  const other = known && findProgramTrouble(words[0]?.value ?? '', place)
  const call = other ? undefined : known
  const looks = call !== undefined
  for (const word of part.reads) {
    const trouble = await findPathWordTrouble(word, place)
    if (trouble) return { looks, by: undefined, row: 'other-command', because: trouble, always: undefined }
  }
  let refusal: Judgement | undefined
  for (const rule of allow) {
    const fixed = matchAllowRule(rule.words, words)
    if (fixed === undefined) continue
    if (rule.staysInside && (await findFurtherTrouble(words.slice(fixed), place))) continue
    refusal = undefined
    for (const { at, part: own } of inner) {
      // A rule that names the inner command speaks of it too.
      if (fixed > at) continue
      const judged = await judgePart(own, allow, place)
      if (judged.by === undefined) refusal = judged
    }
    if (!refusal) return { looks, by: 'rule', rule }
  }
  if (refusal) return { ...refusal, looks: false }
  const trouble = call && (await findLookTrouble(call, place))
  if (call && !trouble) return { looks, by: 'look' }
  const never = findNever(part)
  if (never) return { looks, by: undefined, row: 'never-always', because: `${never} always asks`, always: undefined }
  const pattern = toAlwaysPattern(words)
  const leaves = pattern?.at(-1) === '*' && (await findFurtherTrouble(words.slice(pattern.length - 1), place))
  const always = leaves ? toExactPattern(words) : pattern
  if (trouble) return { looks, by: undefined, row: 'looks-only', because: trouble, always }
  return { looks, by: undefined, row: 'other-command', because: other ?? `no rule allows ${shown(part)}`, always }
}

/** As {@link findPathWordTrouble}, for words that may be options with a path behind `=`. */
async function findFurtherTrouble(words: Part['words'], place: Place): Promise<string | undefined> {
  for (const word of words) {
    const trouble = await findPathWordTrouble(word, place)
    if (trouble) return trouble
    const { value } = word
    const at = value?.indexOf('=') ?? -1
    if (value === undefined || at < 0) continue
    const behind = await findPathWordTrouble({ ...word, value: value.slice(at + 1) }, place)
    if (behind) return behind
  }
  return undefined
}

function findNever({ words, inner }: Part): string | undefined {
  return findNeverAlways(words) ?? inner.map(({ part }) => findNever(part)).find(found => found !== undefined)
}

function shown({ words }: Part): string {
  const text = words
    .slice(0, 3)
    .map(word => word.text)
    .join(' ')
    .replace(/\s+/g, ' ')
  return text.length > 60 || words.length > 3 ? `${text.slice(0, 60)} …` : text
}
