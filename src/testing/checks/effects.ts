import { basename, relative, resolve } from 'node:path'
import { split } from 'shlex'
import type { ToolEffects } from '../../registry/index.js'
import { isInside } from '../../workspace/index.js'
import { formatCommand } from '../format-command.js'
import type { SampleRun } from '../run-sample.js'
import { changedPaths } from '../scratch-tree.js'
import { show } from '../show.js'
import type { LaunchedCommand, TouchedPath } from '../trace.js'

/** Everything the call was seen to touch is in its effects; a tool without effects may do anything. */
export function effectProblems(run: SampleRun): string[] {
  const { sample, tool, trace, agent } = run
  const others = trace.otherProcesses.map(
    ({ spawnargs = [] }) =>
      `It starts \`${formatCommand(spawnargs)}\` by itself: start it with exec.launch, so that gates can hold it and it ends with the session.`,
  )
  const effects = tool.effects?.(JSON.parse(JSON.stringify(sample.args)))
  if (effects === undefined) return others
  const declared = toDeclared(effects, agent.cwd)
  return [
    ...others,
    ...readProblems(run, declared),
    ...writeProblems(run, declared),
    ...runProblems(run, effects),
    ...hostProblems(run, effects),
  ]
}

interface Declared {
  reads: string[]
  writes: string[]
}

function toDeclared({ reads = [], writes = [] }: ToolEffects, cwd: string): Declared {
  const absolute = (paths: string[]) => paths.map(path => resolve(cwd, path))
  return { reads: absolute(reads), writes: absolute(writes) }
}

function readProblems({ trace, agent }: SampleRun, { reads, writes }: Declared): string[] {
  const hidden = trace.reads.filter(path => !covers([...reads, ...writes], path, agent.cwd))
  return hidden.map(({ spoken }) => undeclared('reads', spoken))
}

function writeProblems(run: SampleRun, { writes }: Declared): string[] {
  const { trace, agent, before, after, tool, sample } = run
  const hidden = trace.writes.filter(path => !covers(writes, path, agent.cwd)).map(({ spoken }) => spoken)
  // What a declared command writes is the command's.
  const ran = trace.launches.length > 0 && tool.effects?.(sample.args)?.runs !== undefined
  const changed = ran ? [] : changedPaths(before, after)
  const others = changed
    .filter(path => !covers(writes, { spoken: path, realPath: path }, agent.cwd))
    .map(path => relative(agent.cwd, path))
  return [...new Set([...hidden.map(path => relative(agent.cwd, resolve(agent.cwd, path))), ...others])].map(path =>
    undeclared('writes', path),
  )
}

function runProblems({ trace, agent }: SampleRun, { runs, runsIn = '.' }: ToolEffects): string[] {
  return trace.launches.flatMap(launched => {
    const command = formatCommand(launched.command)
    if (runs === undefined) return [`It runs \`${command}\`, but effects declares no command: give it as runs.`]
    if (!says(runs, launched)) {
      return [
        `It runs \`${command}\`, but effects declares runs: ${show(runs)}. It must be the command that runs, because users and rules allow that.`,
      ]
    }
    const declared = resolve(agent.cwd, runsIn)
    if (resolve(launched.cwd) === declared) return []
    const where = relative(agent.cwd, launched.cwd) || '.'
    return [`It runs \`${command}\` in ${where}, but effects says ${runsIn}: give the directory as runsIn.`]
  })
}

function hostProblems({ trace }: SampleRun, { network }: ToolEffects): string[] {
  if (network === true) return []
  const declared = network?.map(host => host.toLowerCase()) ?? []
  return [...trace.hosts]
    .filter(host => !declared.includes(host))
    .map(host => `It calls the host ${host}, which effects does not declare: add it to network.`)
}

function undeclared(list: 'reads' | 'writes', path: string): string {
  return `It ${list === 'reads' ? 'reads' : 'writes'} ${path}, which effects does not declare: add it to ${list}.`
}

function covers(declared: readonly string[], { spoken, realPath }: TouchedPath, cwd: string): boolean {
  const path = resolve(cwd, spoken)
  return declared.some(entry => isInside(entry, path) || isInside(entry, realPath))
}

/** The text is handed to a shell as it is, or its words are those of the process; a program may stand with its path. */
function says(runs: string, { command }: LaunchedCommand): boolean {
  const [program, ...args] = command
  if (args.includes(runs)) return true
  const words = [programName(program), ...args].join('\0')
  const declared = wordsOf(runs).map((word, index, all) =>
    index === 0 || isSeparator(all[index - 1]) ? programName(word) : word,
  )
  return `\0${declared.join('\0')}\0`.includes(`\0${words}\0`)
}

function wordsOf(text: string): string[] {
  try {
    return split(text)
  } catch {
    return []
  }
}

function isSeparator(word: string | undefined): boolean {
  return word !== undefined && /^(&&|\|\||[|;&])$/.test(word)
}

function programName(program: string): string {
  return basename(program).replace(/\.(exe|cmd)$/i, '')
}
