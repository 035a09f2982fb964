import { fitLine } from './fit-line.js'
import { type Line, span } from './styled.js'

/** What the user typed, after a blank line. */
export function drawPrompt(text: string): Line[] {
  const [first = '', ...others] = text.split('\n')
  return [
    [],
    [span('> ', 'accent'), span(fitLine(first), 'bold')],
    ...others.map((line): Line => [span('  '), span(fitLine(line), 'dim')]),
  ]
}
