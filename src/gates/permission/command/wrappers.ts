import type { OptionSpec } from './options.js'

/** A program whose arguments are another command. */
export interface Wrapper extends OptionSpec {
  /** Operands that stand before the command, as the duration of `timeout`. */
  readonly skip?: number
  /** `NAME=value` may stand before the command. */
  readonly assignments?: boolean
  /** Words that come from elsewhere are added to the command. */
  readonly appends?: boolean
  /** Why it has to be asked about, whatever it starts. */
  readonly obstacle?: string
}

const ELSEWHERE = 'it makes a command of what it reads'
const IN_DISGUISE = 'it starts a command by way of another'
const ENVIRONMENT = 'it sets variables for the command'

/** By the program, or by the program and its first operand. */
export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  builtin: { obstacle: IN_DISGUISE },
  bunx: { values: 'p', longValues: ['--package'] },
  busybox: { obstacle: IN_DISGUISE },
  caffeinate: { values: 'tw' },
  chroot: { skip: 1, obstacle: IN_DISGUISE },
  chrt: { skip: 1, values: 'TPD' },
  command: { obstacle: IN_DISGUISE },
  'cross-env': { assignments: true, obstacle: ENVIRONMENT },
  doas: { values: 'uC' },
  dotenv: { values: 'efvpc', obstacle: ENVIRONMENT },
  env: { values: 'uCa', longValues: ['--unset', '--chdir', '--argv0'], assignments: true, obstacle: ENVIRONMENT },
  exec: { values: 'a', obstacle: IN_DISGUISE },
  flock: { skip: 1, values: 'wE', longValues: ['--timeout', '--conflict-exit-code'] },
  ionice: { values: 'cnpPu', longValues: ['--class', '--classdata'] },
  ltrace: { values: 'aeFlnopSsuxAD', obstacle: IN_DISGUISE },
  nice: { values: 'n', longValues: ['--adjustment'] },
  nohup: {},
  npx: { values: 'pcw', longValues: ['--package', '--call', '--workspace'] },
  nsenter: { values: 'tSG', obstacle: IN_DISGUISE },
  parallel: { values: 'jaINnLlPsSd', appends: true, obstacle: ELSEWHERE },
  pkexec: { longValues: ['--user'] },
  pnpx: { values: 'pc' },
  rlwrap: { values: 'abcCdDefFgHlmMopPqrsSt', obstacle: IN_DISGUISE },
  run0: { values: 'ugDpc', longValues: ['--user', '--group', '--chdir', '--unit', '--property', '--setenv'] },
  setarch: { skip: 1, obstacle: IN_DISGUISE },
  setsid: { obstacle: IN_DISGUISE },
  stdbuf: { values: 'ioe', longValues: ['--input', '--output', '--error'] },
  strace: { values: 'abeEIoOpPsSuUX', obstacle: IN_DISGUISE },
  sudo: {
    values: 'CcDghpRrtTUu',
    longValues: ['--user', '--group', '--host', '--prompt', '--chdir', '--chroot', '--role', '--type', '--close-from'],
    assignments: true,
  },
  taskset: { skip: 1 },
  time: { values: 'fo', longValues: ['--format', '--output'] },
  timeout: { skip: 1, values: 'ks', longValues: ['--kill-after', '--signal'] },
  toybox: { obstacle: IN_DISGUISE },
  unshare: { values: 'SGRw', obstacle: IN_DISGUISE },
  uvx: { longValues: ['--from', '--with', '--python'], values: 'p' },
  watch: { values: 'nq', longValues: ['--interval'], obstacle: IN_DISGUISE },
  xargs: {
    values: 'aEILnPsd',
    longValues: ['--arg-file', '--max-lines', '--max-args', '--max-procs', '--max-chars', '--delimiter', '--replace'],
    appends: true,
    obstacle: ELSEWHERE,
  },
  'bun x': {},
  'bundle exec': {},
  'direnv exec': { skip: 1, obstacle: ENVIRONMENT },
  'git bisect run': { obstacle: IN_DISGUISE },
  'mise exec': {},
  'npm exec': { values: 'cpw', longValues: ['--package', '--call', '--workspace'] },
  'npm x': { values: 'cpw', longValues: ['--package', '--call', '--workspace'] },
  'pipenv run': {},
  'pipx run': { longValues: ['--spec', '--python'] },
  'pnpm dlx': { longValues: ['--package'] },
  'pnpm exec': {},
  'poetry run': {},
  'rustup run': { skip: 1 },
  'uv run': { longValues: ['--with', '--python', '--project', '--directory', '--env-file'], values: 'p' },
  'yarn dlx': { values: 'p', longValues: ['--package'] },
  'yarn exec': {},
}

/** Options behind which a command stands, up to `;` or `+`. */
export const EXEC_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  find: ['-exec', '-execdir', '-ok', '-okdir'],
  fd: ['-x', '-X', '--exec', '--exec-batch'],
  fdfind: ['-x', '-X', '--exec', '--exec-batch'],
}
