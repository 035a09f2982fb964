/** How a program takes code in its arguments. */
export interface Interpreter {
  /** Letters that, in a word of short options, say that code follows. */
  readonly code: string
  /** Long options that do the same. */
  readonly longCode?: readonly string[]
  /** Its first operand is code, whatever the options. */
  readonly firstOperand?: boolean
  /** With these words it reads no code from stdin, though it names no file. */
  readonly noInput?: readonly string[]
}

/** Shells that read the language that this folder can read. */
export const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'rbash'])

const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  awk: { code: '', firstOperand: true },
  bun: { code: 'ep', longCode: ['--eval', '--print', 'eval'], noInput: ['--version'] },
  cmd: { code: '', firstOperand: true },
  csh: { code: 'c' },
  deno: { code: '', longCode: ['eval', 'repl'], noInput: ['--version'] },
  fish: { code: 'cC', longCode: ['--command', '--init-command'] },
  gawk: { code: '', firstOperand: true },
  groovy: { code: 'e' },
  julia: { code: 'eE', longCode: ['--eval', '--print'] },
  lua: { code: 'e' },
  mawk: { code: '', firstOperand: true },
  nawk: { code: '', firstOperand: true },
  node: { code: 'ep', longCode: ['--eval', '--print'], noInput: ['--test', '--version'] },
  nodejs: { code: 'ep', longCode: ['--eval', '--print'], noInput: ['--test', '--version'] },
  nu: { code: 'c', longCode: ['--commands'] },
  osascript: { code: 'e' },
  perl: { code: 'eE' },
  php: { code: 'rBRE', longCode: ['--run'] },
  powershell: { code: '', firstOperand: true },
  pwsh: { code: '', firstOperand: true },
  python: { code: 'c', noInput: ['--version', '-V'] },
  r: { code: 'e' },
  rscript: { code: 'e' },
  ruby: { code: 'e' },
  tclsh: { code: '' },
  tcsh: { code: 'c' },
  xonsh: { code: 'c' },
}

/** `python3.12` is python, `lua5.4` lua. */
export function findInterpreter(program: string): Interpreter | undefined {
  const name = program.replace(/(?<=[a-z])[\d.]+[a-z]?$/, '')
  return Object.hasOwn(INTERPRETERS, name) ? INTERPRETERS[name] : undefined
}
