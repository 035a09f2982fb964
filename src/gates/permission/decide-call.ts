import type { Config } from '../../config/index.js'
import type { ProvidedBy, ToolAgent, ToolEffects } from '../../registry/index.js'
import type { Files } from '../../workspace/index.js'
import { decideCommandRun } from './decide-command-run.js'
import { decidePath } from './decide-path.js'
import { decideThing } from './decide-thing.js'
import type { Mode } from './modes.js'
import type { OwnFiles } from './own-files.js'
import { lookUpPaths, type PathFacts } from './path-facts.js'
import type { JudgedCall } from './permissions.js'
import type { Policy, Rules } from './policy.js'
import type { ProjectAnswer } from './remembered-shape.js'
import { type CallVerdict, combine, isSameAnswer, type Remembered, type Verdict } from './verdict.js'
import { toToolWords } from './wording.js'

export interface CallContext {
  readonly files: Files
  /** Deckhand's own files as they are now. */
  ownFiles(): OwnFiles
  readonly rules: Rules
  readonly userCommands: Config['permissions']['userCommands']
  readonly strict: boolean
  readonly shell: string | undefined
  /** Commands of the call run in the sandbox. */
  readonly isHeld: boolean
  /** The sandbox asks about the call's command itself, and says more than a question before it could. */
  readonly isAskedLater: boolean
  readonly mode: Mode
  /** What the call would touch; undefined: it may do anything. */
  readonly effects: ToolEffects | undefined
  /** Who is behind the tool, if that is not the program itself. */
  readonly providedBy: ProvidedBy | undefined
  isRejected(subject: string): boolean
  /** What the user allowed for good in the project of this agent. */
  remembered(agent: ToolAgent): Promise<readonly ProjectAnswer[]>
}

/** The decision on a call, from what it would touch. Rejects if a path cannot be looked up. */
export async function decideCall(call: JudgedCall, context: CallContext): Promise<CallVerdict> {
  const { agent } = call
  const { userCommands, strict, files, mode, rules } = context
  const isUsers = agent?.origin === 'user'
  if (isUsers && userCommands === 'off') {
    return { decision: 'deny', because: 'permissions.userCommands is off: tools are not run by hand' }
  }
  const typed = isUsers && userCommands === 'allow'
  const paths = await lookUpPaths({ files, ownFiles: context.ownFiles, agent }, toPaths(context.effects, typed))
  const decideWith = (answers: readonly ProjectAnswer[]) =>
    decideAll(call, context, paths, answers, {
      mode,
      typed,
      strict,
      rules,
      isRejected: subject => context.isRejected(subject),
      isRemembered: answer => answers.some(known => isSameAnswer(known, answer)),
    })
  const first = await decideWith([])
  // Most calls need no look at the file of remembered answers.
  if (first.decision !== 'ask' || !agent || typed) return first
  const answers = await context.remembered(agent)
  return answers.length === 0 ? first : decideWith(answers)
}

async function decideAll(
  call: JudgedCall,
  context: CallContext,
  paths: readonly PathFacts[],
  answers: readonly ProjectAnswer[],
  policy: Policy,
): Promise<CallVerdict> {
  const { effects } = context
  const verdicts: Verdict[] = [...decideTool(call.name, context, policy)]
  for (const facts of paths) verdicts.push(decidePath(facts, policy))
  for (const host of Array.isArray(effects?.network) ? effects.network : []) verdicts.push(decideHost(host, policy))
  if (effects?.runs !== undefined) verdicts.push(await decideCommandRun(effects.runs, call, context, answers, policy))
  const granted = paths.filter(({ inside }) => !inside).map(({ realPath }) => realPath)
  return combine(verdicts, [...new Set(granted)])
}

/** The tool as such: rules that name it, and the question about one that may do anything. */
function decideTool(
  name: string,
  { effects, providedBy }: Pick<CallContext, 'effects' | 'providedBy'>,
  policy: Policy,
): Verdict[] {
  const rule = policy.rules.forTool(name)
  const subject = `tool ${name}`
  const provider = providedBy && { label: providedBy.label, key: providedBy.key }
  const always: Remembered[] = [{ type: 'tool', name, ...(provider && { provider }) }]
  const tool = toToolWords(name, provider)
  const claim = providedBy?.claim ? `, and it says ${providedBy.claim}` : ''
  if (effects === undefined || effects.network === true) {
    const why =
      effects === undefined
        ? `${tool} ${provider ? `may do anything${claim}` : 'does not say what it touches'}`
        : `${tool} may reach any host of the network`
    return [decideThing({ subject, why, rule, changes: effects === undefined, always }, policy)]
  }
  // An allow rule on a tool that says what it touches does not open what it touches.
  if (!rule || rule.decision === 'allow') return []
  return [decideThing({ subject, why: rule.because, rule, changes: false }, policy)]
}

function decideHost(name: string, policy: Policy): Verdict {
  const host = name.toLowerCase()
  return decideThing(
    {
      subject: `host ${host}`,
      why: `it fetches from ${host}`,
      rule: policy.rules.forHost(host),
      changes: false,
      always: [{ type: 'host', host }],
    },
    policy,
  )
}

function toPaths(effects: ToolEffects | undefined, typed: boolean): { use: PathFacts['use']; spoken: string }[] {
  const { reads = [], writes = [], runs, runsIn } = effects ?? {}
  // A typed command may run anywhere: it could as well begin with cd.
  const workingDirectory = runs !== undefined && runsIn !== undefined && !typed ? [runsIn] : []
  return [...[...workingDirectory, ...reads].map(toUse('read')), ...writes.map(toUse('write'))]
}

function toUse<Use extends PathFacts['use']>(use: Use) {
  return (spoken: string) => ({ use, spoken })
}
