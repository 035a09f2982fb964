import { programOf } from './program-name.js'
import type { Obstacle } from './reading.js'
import type { CommandWord } from './word.js'

/** Shell commands that change what later words mean, or look into their words for code. */
const SHELL_STATE = new Set(
  `. source eval alias unalias export declare typeset local readonly let unset read mapfile readarray getopts hash enable
  shopt set shift bind complete compgen compopt fc history trap pushd popd dirs umask ulimit`.split(/\s+/),
)

/** Options by which a program runs another one, or works on another place: by their exact form, or up to `=`. */
const FAR_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  cargo: ['--config', '--manifest-path', '-C'],
  find: ['-delete', '-fprint', '-fprint0', '-fprintf', '-fls'],
  git: [
    '-C',
    '-c',
    '--config-env',
    '--exec-path',
    '--git-dir',
    '--work-tree',
    '--upload-pack',
    '--receive-pack',
    '--exec',
  ],
  go: ['-exec', '-toolexec', '-vettool', '-C', '--exec', '--toolexec', '--vettool'],
  make: ['--eval', '-C', '--directory', '-f', '--file', '--makefile'],
  npm: ['--script-shell', '--prefix', '-C', '--node-options'],
  pnpm: ['--script-shell', '--dir', '-C'],
  rg: ['--pre', '--hostname-bin'],
  rsync: ['-e', '--rsh', '--rsync-path'],
  sort: ['--compress-program'],
  tar: ['--to-command', '--checkpoint-action', '-I', '--use-compress-program', '--rsh-command', '--info-script', '-F'],
  yarn: ['--script-shell', '--cwd'],
}

/** What in a command's words keeps it from being allowed by any rule. */
export function findPartObstacles(words: readonly CommandWord[]): Obstacle[] {
  const [name, ...args] = words
  const program = programOf(name)
  if (name?.value === undefined || program === undefined) return ['which command it runs is known only then']
  if (!/^[\x21-\x7e]+$/.test(name.value)) return ["its command's name holds unusual characters"]
  if (SHELL_STATE.has(name.value)) return [`${name.value} changes how the rest of the line is understood`]
  if (mayEvaluate(name.value, args)) return [`${name.value} may run code in its words`]
  const far = Object.hasOwn(FAR_OPTIONS, program) ? FAR_OPTIONS[program] : undefined
  if (!far) return []
  let hasSubcommand = false
  for (const { value, start } of args) {
    if (value === undefined && start === '') {
      // For git what stands before the subcommand can make it run anything; for find, any word can.
      if (program === 'find' || (program === 'git' && !hasSubcommand)) {
        return [`a part of ${program}'s words shows only when it runs`]
      }
      continue
    }
    if (value === '--') break
    if (!start.startsWith('-')) hasSubcommand = true
    const option = far.find(known => isOption(start, known))
    if (option) return [`${option} lets ${program} run other programs, or work elsewhere`]
    if (program === 'git' && /^(ext|fd)::/.test(start)) return ['git runs a program for such an address']
    if (program === 'make' && /^[A-Za-z_]\w*[?:+]?=/.test(start)) return ['make runs what its variables say']
  }
  return []
}

function isOption(word: string, option: string): boolean {
  if (word === option || word.startsWith(`${option}=`)) return true
  // `-Cdir`, `-calias.x=…`: a value glued to a letter.
  return /^-[a-zA-Z]$/.test(option) && word.startsWith(option) && !word.startsWith('--')
}

/** bash evaluates the index of `a[…]` where it takes a variable's name, and runs the commands in it. */
function mayEvaluate(name: string, args: readonly CommandWord[]): boolean {
  if (!['test', '[', 'printf', 'wait', 'jobs', 'kill'].includes(name)) return false
  return args.some(({ value, start }) => (value === undefined ? start.includes('[') : /\[.*(\$\(|`)/s.test(value)))
}
