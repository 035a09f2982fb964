import { fitLine, WIDTH } from './fit-line.js'

/** A line of text as lines that fit a drawing, broken at blanks where there are some. */
export function wrapText(line: string, width = WIDTH): string[] {
  const lines: string[] = []
  let rest = line.replaceAll('\t', '    ')
  while (rest.length > width) {
    const blank = rest.lastIndexOf(' ', width)
    const end = blank > 0 ? blank : width
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return [...lines, rest].map(part => fitLine(part, width))
}
