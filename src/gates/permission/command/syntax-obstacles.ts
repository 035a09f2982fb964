import type { ParameterExpansionPart, Redirect, SyntaxNode } from 'unbash'
import type { Obstacle } from './reading.js'
import { toCommandWord } from './word.js'

/** What a piece of syntax has that a list of commands does not tell; `unreadable` if it is not certain what it does. */
export function obstacleOf(node: SyntaxNode): Obstacle | 'unreadable' | undefined {
  switch (node.type) {
    case 'CommandExpansion':
      return node.script === undefined
        ? 'unreadable'
        : 'it runs a command to make a part of its text, as $( ) and backticks do'
    case 'ProcessSubstitution':
      return node.script === undefined ? 'unreadable' : 'it holds a process substitution, <( ) or >( )'
    case 'ArithmeticCommandExpansion':
    case 'ArithmeticExpansion':
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
      // The value of a variable is evaluated, and may hold a command.
      return 'it holds arithmetic, which can run commands'
    case 'TestCommand':
      return 'it holds a [[ ]] test, which can run commands'
    case 'ParameterExpansion':
      return isPlain(node) ? undefined : 'it computes with a variable, which can run commands'
    case 'AnsiCQuoted':
      // bash reads \x{72} as a character, the parser as text.
      return node.text.includes('\\x{') ? 'unreadable' : undefined
    case 'ExtendedGlob':
      return 'it holds an extended pattern, which not every shell reads the same way'
    case 'Function':
      return 'it defines a function'
    case 'Coproc':
      return 'it starts a coprocess'
    case 'Select':
      return 'it holds a select loop'
    case 'For':
      return /^[a-z_][a-z0-9_]*$/.test(node.name.value) && !/_proxy$/.test(node.name.value)
        ? undefined
        : 'it sets an environment variable'
    case 'Redirect':
      return obstacleOfRedirect(node)
    case 'HereDoc':
      return node.closing === undefined || node.delimiter === undefined ? 'unreadable' : undefined
    case 'HereString':
      return node.target === undefined ? 'unreadable' : undefined
    case 'FileDescriptorVariable':
      return 'it sets a variable'
    case 'Command':
      if (node.prefix.some(({ type }) => type === 'Assignment')) {
        return node.name ? 'it sets variables for the command' : 'it sets variables'
      }
      return node.name ? undefined : 'it has a part without a command'
    default:
      return undefined
  }
}

function obstacleOfRedirect({ operator, target }: Redirect): Obstacle | 'unreadable' | undefined {
  if (target === undefined) return 'unreadable'
  const { value } = toCommandWord(target)
  if (operator === '<') return undefined
  if ((operator === '>&' || operator === '<&') && value !== undefined && /^(\d+|-)$/.test(value)) return undefined
  if (operator !== '<>' && value === '/dev/null') return undefined
  return 'it writes to a file'
}

function isPlain({ prefix, index, operation }: ParameterExpansionPart): boolean {
  if (prefix === '!' || index !== undefined) return false
  if (operation === undefined || operation.type === 'Remove') return true
  return operation.type === 'Default' && !operation.operator.endsWith('=')
}
