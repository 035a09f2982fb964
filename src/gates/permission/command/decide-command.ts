import { resolve as toAbsolute } from 'node:path'
import { findShell } from '../../../workspace/index.js'
import type { CommandContext, CommandDecision, CommandRule } from './decision.js'
import { findDeniedWords } from './denied-words.js'
import { SHELLS } from './interpreters.js'
import { type Judgement, judgePart } from './judge-part.js'
import { followLeadingCd } from './leading-cd.js'
import type { Place } from './look-paths.js'
import { type Fit, matchStrictRule } from './match-rule.js'
import { toProgram } from './program-name.js'
import { readCommand } from './read-command.js'
import type { Part, Reading } from './reading.js'

/**
 * The decision on one command line: denied if any part of it is, wherever it stands; allowed if all of it is understood and
 * each part is allowed; else it asks. Never rejects.
 */
export async function decideCommand(command: string, context: CommandContext): Promise<CommandDecision> {
  const { rules, shell = defaultShell() } = context
  const reading = isPosixShell(shell) ? await readCommand(command) : unread(shell)
  const parts = reading.parts.flatMap(withInner)

  const denied =
    findFit(parts, rules.deny, 'yes') ?? (reading.isUncertain ? findDeniedWords(command, rules.deny) : undefined)
  if (denied)
    return { decision: 'deny', row: 'rule-deny', because: `${denied.source} denies ${shown(denied)}`, onlyLooks: false }
  const perhaps = findFit(parts, rules.deny, 'maybe')
  const [obstacle = perhaps && `it may be what ${perhaps.source} denies: ${shown(perhaps)}`] = reading.obstacles
  if (obstacle) {
    const row = reading.isUncertain ? 'cannot-parse' : 'never-always'
    return { decision: 'ask', row, because: obstacle, onlyLooks: false }
  }

  const place = await toPlace(context)
  const { folder, parts: rest } = await followLeadingCd(reading, place.folder, toAbsolute, context.resolve)
  const judgements: Judgement[] = []
  for (const part of rest) judgements.push(await judgePart(part, rules.allow, { ...place, folder }))
  return conclude(judgements, findFit(parts, rules.ask, 'yes') ?? findFit(parts, rules.ask, 'maybe'))
}

function conclude(judgements: readonly Judgement[], asked: CommandRule | undefined): CommandDecision {
  const onlyLooks = judgements.every(({ looks }) => looks)
  if (asked) return { decision: 'ask', row: 'rule-ask', because: `${asked.source} asks for ${shown(asked)}`, onlyLooks }
  const open = judgements.filter(judgement => judgement.by === undefined)
  // What is never allowed for good is the weightier reason.
  const first = open.find(({ row }) => row === 'never-always') ?? open[0]
  if (!first) {
    const byRule = judgements.find(judgement => judgement.by === 'rule')
    if (!byRule) return { decision: 'allow', row: 'looks-only', because: 'it only looks', onlyLooks }
    const because = `${byRule.rule.source} allows ${shown(byRule.rule)}`
    return { decision: 'allow', row: 'rule-allow', because, onlyLooks }
  }
  const always = open.flatMap(judgement => (judgement.always ? [judgement.always] : []))
  return {
    decision: 'ask',
    row: first.row,
    because: first.because,
    onlyLooks,
    ...(always.length === open.length ? { always: unique(always) } : {}),
  }
}

function withInner(part: Part): Part[] {
  return [part, ...part.inner.flatMap(({ part: own }) => withInner(own))]
}

function findFit(parts: readonly Part[], rules: readonly CommandRule[], wanted: Fit): CommandRule | undefined {
  return rules.find(({ words }) => parts.some(part => matchStrictRule(words, part.words) === wanted))
}

async function toPlace({ cwd, roots, resolve, searchPath = process.env.PATH ?? '' }: CommandContext): Promise<Place> {
  const real = (path: string) =>
    resolve(path).then(
      ({ realPath }) => realPath,
      () => path,
    )
  return { folder: await real(cwd), roots: await Promise.all(roots.map(real)), resolve, searchPath }
}

/** Elsewhere it is bash or sh in any case, and need not be looked up for every command. */
function defaultShell(): string {
  return process.platform === 'win32' ? findShell(undefined) : 'sh'
}

function isPosixShell(shell: string): boolean {
  return SHELLS.has(toProgram(shell))
}

function unread(shell: string): Reading {
  return { parts: [], obstacles: [`the language of ${shell} is not read here`], isUncertain: true, beginsWithCd: false }
}

function shown({ words }: CommandRule): string {
  return words.map(word => (/[\s'"]/.test(word) ? `'${word}'` : word)).join(' ')
}

function unique(patterns: readonly (readonly string[])[]): (readonly string[])[] {
  return [...new Map(patterns.map(pattern => [JSON.stringify(pattern), pattern])).values()]
}
