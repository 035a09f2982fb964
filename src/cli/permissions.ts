import { resolve } from 'node:path'
import { createHost } from '../bridge/index.js'
import { describeProblem } from '../config/index.js'
import { type CommandRow, commandInMode, decideCommand, toCommandRules } from '../gates/permission/command/index.js'
import { type CallVerdict, describeAnswer, type Mode, RememberedAnswers } from '../gates/permission/index.js'
import { type Environment, toHostSettings } from './environment.js'
import { logTo } from './log-file.js'
import { print, printJson } from './print.js'

/** Decides where the table of commands does not. */
type OtherRow = 'own-files' | 'faulty-config' | 'sandbox'

/** `deckhand permissions check`: what would be decided about a model's command, and by which row; 0 only if it is allowed. */
export async function checkCommand(
  environment: Environment,
  command: string,
  { cwd: folder = '.', mode: asked, json }: { cwd?: string; mode?: Mode; json?: boolean },
): Promise<number> {
  const { settings, cwd: here } = environment
  const { config, path, problems } = settings
  for (const problem of problems) process.stderr.write(`${describeProblem(path, problem)}\n`)
  const cwd = resolve(here, folder)
  const mode = asked ?? config.permissions.mode
  const host = createHost([], logTo(environment), toHostSettings(environment))
  try {
    await host.ready
    const { permissions, files } = host.ctx
    const agent = { sessionId: 'check', cwd, roots: [cwd], origin: 'model' } as const
    permissions.setMode(agent.sessionId, mode)
    const verdict = await permissions.decide({ name: 'bash', arguments: { command }, agent })
    const rules = toCommandRules(config.permissions.commands)
    const remembered = await permissions.remembered.of(() => permissions.project(agent))
    const words = remembered.flatMap(answer => (answer.type === 'command' ? [answer.words] : []))
    const found = await decideCommand(command, {
      cwd,
      roots: agent.roots,
      rules: {
        ...rules,
        allow: [...rules.allow, ...words.map(own => ({ words: own, source: 'a remembered answer' }))],
      },
      resolve: name => files.resolve(agent, name),
      ...(config.shell.path === undefined ? {} : { shell: config.shell.path }),
    })
    const inMode = commandInMode(found, mode)
    report(verdict, inMode.decision === verdict.decision ? inMode.row : otherRow(verdict), mode, json)
    return verdict.decision === 'allow' ? 0 : 1
  } finally {
    await host.close()
  }
}

/** `deckhand permissions list`: what was allowed for good, project by project. */
export async function listPermissions({ stateDir }: Environment, { json }: { json?: boolean }): Promise<number> {
  const remembered = openRemembered(stateDir)
  const answers = await remembered.list()
  if (json) for (const answer of answers) printJson(answer)
  else {
    for (const project of new Set(answers.map(stored => stored.project))) {
      print(project)
      for (const { id, since, answer } of answers.filter(stored => stored.project === project)) {
        print(`  ${id}  ${since.slice(0, 10)}  ${describeAnswer(answer)}`)
      }
    }
    if (answers.length === 0) print(`Nothing is allowed for good in ${remembered.path}.`)
  }
  return 0
}

/** `deckhand permissions remove`: the given answers no longer hold, in open sessions too; 1 if one is not there. */
export async function removePermissions({ stateDir }: Environment, ids: readonly string[]): Promise<number> {
  const remembered = openRemembered(stateDir)
  let missing = 0
  for (const id of ids) {
    const removed = await remembered.remove(id)
    if (removed) print(`Removed ${id}: ${describeAnswer(removed.answer)} in ${removed.project}.`)
    else process.stderr.write(`There is no answer ${id} in ${remembered.path}.\n`)
    if (!removed) missing++
  }
  return missing === 0 ? 0 : 1
}

function openRemembered(stateDir: string): RememberedAnswers {
  return new RememberedAnswers(stateDir, problem => process.stderr.write(`${problem}\n`))
}

function otherRow({ decision }: CallVerdict): OtherRow {
  return decision === 'deny' ? 'own-files' : decision === 'ask' ? 'faulty-config' : 'sandbox'
}

function report(verdict: CallVerdict, row: CommandRow | OtherRow, mode: Mode, json: boolean | undefined): void {
  const { decision, because } = verdict
  const always =
    verdict.decision === 'ask' ? verdict.always.flatMap(it => (it.type === 'command' ? [it.words] : [])) : []
  if (json) printJson({ decision, row, because, mode, always })
  else {
    print(`${decision}: ${because}`)
    print(`row: ${row} (mode ${mode})`)
    for (const words of always) print(`can be allowed for good: ${words.map(quote).join(' ')}`)
  }
}

function quote(word: string): string {
  return word !== '*' && /[^\w@%+=:,./-]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : word
}
