import { resolve } from 'node:path'
import { decideCommand, toCommandRules } from './command/index.js'
import type { CallContext } from './decide-call.js'
import { decideThing } from './decide-thing.js'
import { findOwnByFolder } from './own-folders-in-command.js'
import { findOwnInCommand } from './own-in-command.js'
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
  const { files, ownFiles, effects, rules, shell, isHeld, isAskedLater } = context
  const plain = agent && { ...agent, granted: [] }
  const cwd = resolve(agent?.cwd ?? '/', effects?.runsIn ?? '')
  const look = { cwd, ownFiles: ownFiles(), resolve: (path: string) => files.resolve(plain, path) }
  const own = await findOwnInCommand(command, look)
  if (own !== undefined) return { decision: 'deny', because: `it names ${own}, which is closed to every tool` }
  const within = await findOwnByFolder(command, { ...look, roots: agent?.roots ?? [] })
  if (within !== undefined) {
    return {
      decision: 'deny',
      because: `it works on a whole folder that holds ${within}, which is closed to every tool`,
    }
  }
  const { allow, ask, deny } = toCommandRules(rules.commands)
  const remembered = answers.flatMap(answer =>
    answer.type === 'command' ? [{ words: answer.words, source: PROJECT, staysInside: true }] : [],
  )
  const found = await decideCommand(command, {
    cwd,
    roots: agent?.roots ?? [],
    rules: { allow: [...allow, ...remembered], ask, deny },
    resolve: path => files.resolve(plain, path),
    ...(shell === undefined ? {} : { shell }),
  })
  const free = found.decision === 'allow' ? found.because : isAskedLater ? 'the sandbox asks about it' : undefined
  return decideThing(
    {
      subject: `run ${command}`,
      why: found.because,
      rule: found.row === 'rule-deny' ? { decision: 'deny', because: found.because } : undefined,
      changes: !found.onlyLooks,
      ...(free === undefined ? {} : { free }),
      ...(isHeld && found.row === 'other-command' ? { freeWithEdits: 'the sandbox holds it' } : {}),
      ...(found.always ? { always: found.always.map(words => ({ type: 'command', words })) } : {}),
    },
    policy,
  )
}

const PROJECT = 'what you allowed in this project'
