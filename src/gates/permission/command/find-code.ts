import { findInterpreter, type Interpreter, SHELLS } from './interpreters.js'
import { skipOptions } from './options.js'
import { programOf } from './program-name.js'
import type { Obstacle } from './reading.js'
import type { CommandWord } from './word.js'

interface Code {
  /** Shell code that the command runs, as far as it is known. */
  texts: string[]
  obstacles: Obstacle[]
}

const NOTHING: Code = { texts: [], obstacles: [] }
/** The obstacle of a command that hands text to a shell or to another interpreter. */
export const AS_CODE = 'it runs text as code'

/** The code that a command gets in its arguments, or as stdin (`inputs`, the known texts of its here-documents). */
export function findCode(words: readonly CommandWord[], inputs: readonly string[]): Code {
  const program = programOf(words[0])
  if (program === undefined) return NOTHING
  if (SHELLS.has(program)) return shellCode(words, inputs)
  const interpreter = findInterpreter(program)
  if (interpreter) return takesCode(words, interpreter) ? { texts: [], obstacles: [AS_CODE] } : NOTHING
  const texts = Object.hasOwn(TEXT_TAKERS, program) ? TEXT_TAKERS[program]?.(words) : undefined
  return texts ? { texts: known(texts), obstacles: [AS_CODE] } : NOTHING
}

function shellCode(words: readonly CommandWord[], inputs: readonly string[]): Code {
  let hasCode = false
  let index = 1
  for (; index < words.length; index++) {
    const value = words[index]?.value
    if (value === undefined || !/^[-+]./.test(value)) break
    if (value === '--') {
      index++
      break
    }
    if (/^-[a-zA-Z]*c/.test(value)) hasCode = true
    else if (/^[-+][a-zA-Z]*[oO]$/.test(value) || value === '--rcfile' || value === '--init-file') index++
    else if (value === '--version' || value === '--help') return NOTHING
  }
  const operand = words[index]
  if (hasCode) return { texts: known(operand ? [operand] : []), obstacles: [AS_CODE] }
  const isScript = operand?.value !== undefined && operand.value !== '-' && !operand.value.startsWith('/dev/')
  return isScript ? NOTHING : { texts: [...inputs], obstacles: [AS_CODE] }
}

function takesCode(
  words: readonly CommandWord[],
  { code, longCode = [], firstOperand, noInput = [] }: Interpreter,
): boolean {
  const args = words.slice(1)
  if (firstOperand) return args.some(({ value }) => value !== '--version')
  let hasOperand = false
  for (const { value } of args) {
    // What is not known may be an option as well.
    if (value === undefined) return true
    if (longCode.some(option => value === option || value.startsWith(`${option}=`))) return true
    if (/^-[A-Za-z]/.test(value) && !hasOperand && [...code].some(letter => value.includes(letter))) return true
    if (!value.startsWith('-')) hasOperand = true
  }
  return !hasOperand && !args.some(({ value }) => value !== undefined && noInput.includes(value))
}

/** Commands that hand words to a shell: which ones. Undefined: not with these words. */
const TEXT_TAKERS: Readonly<Record<string, (words: readonly CommandWord[]) => readonly CommandWord[] | undefined>> = {
  eval: words => [joined(words.slice(1))],
  trap: words => words.slice(skipOptions(words, 1, {})).slice(0, 1),
  alias: words => words.slice(1).map(afterEquals),
  watch: words => [joined(words.slice(skipOptions(words, 1, { values: 'nq', longValues: ['--interval'] })))],
  ssh: words => {
    const rest = words.slice(skipOptions(words, 1, { values: 'BbcDEeFIiJLlmOopQRSWw' }) + 1)
    return rest.length > 0 ? [joined(rest)] : undefined
  },
  su: words => after(words, ['-c', '--command']),
  runuser: words => after(words, ['-c', '--command']),
  script: words => after(words, ['-c', '--command']),
  npx: words => after(words, ['-c', '--call']),
  npm: words => (['exec', 'x'].includes(words[1]?.value ?? '') ? after(words, ['-c', '--call']) : undefined),
  flock: words => after(words, ['-c', '--command']),
  env: words => after(words, ['-S', '--split-string']),
  tmux: words => words.slice(1),
  screen: words => words.slice(1),
  parallel: words => [joined(words.slice(1))],
  git: gitCode,
  compgen: words => words.slice(1),
  complete: words => words.slice(1),
  bind: words => words.slice(1),
  mapfile: words => after(words, ['-C']),
  readarray: words => after(words, ['-C']),
}

function gitCode(words: readonly CommandWord[]): readonly CommandWord[] | undefined {
  const texts: CommandWord[] = []
  words.forEach((word, index) => {
    const { value } = word
    if (value === undefined) return
    // An alias that begins with ! is shell code.
    const setting = /^(?:-c)?[\w.-]+=!?(.+)$/s.exec(value)
    if (setting?.[1] && (words[index - 1]?.value === '-c' || value.startsWith('-c')))
      texts.push({ ...word, value: setting[1] })
    if (['-x', '--exec', 'foreach'].includes(words[index - 1]?.value ?? '')) texts.push(word)
    if (/^--exec=/.test(value)) texts.push(afterEquals(word))
  })
  return texts.length > 0 ? texts : undefined
}

/** The values of these options, each as the next word or glued to it. */
function after(words: readonly CommandWord[], options: readonly string[]): readonly CommandWord[] | undefined {
  const found = words.flatMap((word, index) => {
    const option = options.find(name => word.start === name || word.start.startsWith(name))
    if (option === undefined) return []
    if (word.value === option) return words.slice(index + 1, index + 2)
    return word.value === undefined ? [word] : [{ ...word, value: word.value.slice(option.length).replace(/^=/, '') }]
  })
  return found.length > 0 ? found : undefined
}

function afterEquals(word: CommandWord): CommandWord {
  return { ...word, value: word.value?.slice(word.value.indexOf('=') + 1) }
}

function joined(words: readonly CommandWord[]): CommandWord {
  const values = words.map(({ value }) => value ?? '""')
  return { text: '', value: values.join(' '), start: '' }
}

function known(words: readonly CommandWord[]): string[] {
  return words.flatMap(({ value }) => (value === undefined ? [] : [value]))
}
