import { resolve } from 'node:path'
import { parseCommandPattern } from '../../config/index.js'
import { type CommandRule, decideCommand } from './command/index.js'
import type { CallContext } from './decide-call.js'
import { decideThing } from './decide-thing.js'
import type { JudgedCall } from './permissions.js'
import type { Policy } from './policy.js'
import type { ProjectAnswer } from './remembered-shape.js'
import type { Verdict } from './verdict.js'

/** The decision on a call's shell command. */
export async function decideCommandRun(
  command: string,
  { agent }: JudgedCall,
  context: CallContext,
  answers: readonly ProjectAnswer[],
  policy: Policy,
): Promise<Verdict> {
  const { files, ownFiles, effects, rules, shell } = context
  const plain = agent && { ...agent, granted: [] }
  const cwd = resolve(agent?.cwd ?? '/', effects?.runsIn ?? '')
  const { allow, ask, deny } = rules.commands
  const remembered = answers.flatMap(answer =>
    answer.type === 'command' ? [{ words: answer.words, source: PROJECT }] : [],
  )
  const found = await decideCommand(command, {
    cwd,
    roots: agent?.roots ?? [],
    rules: { allow: [...toRules(allow), ...remembered], ask: toRules(ask), deny: toRules(deny) },
    resolve: path => files.resolve(plain, path),
    ...(shell === undefined ? {} : { shell }),
  })
  return decideThing(
    {
      subject: `run ${command}`,
      why: found.because,
      rule: found.row === 'rule-deny' ? { decision: 'deny', because: found.because } : undefined,
      changes: !found.onlyLooks,
      ...(found.decision === 'allow' ? { free: found.because } : {}),
      ...(found.always ? { always: found.always.map(words => ({ type: 'command', words })) } : {}),
    },
    policy,
  )
}

const PROJECT = 'what you allowed in this project'

function toRules(patterns: readonly string[]): CommandRule[] {
  return patterns.map(pattern => ({ words: parseCommandPattern(pattern), source: 'your config' }))
}
