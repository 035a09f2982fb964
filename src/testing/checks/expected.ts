import { type SampleRun, toOutcome } from '../run-sample.js'
import { labelOf, show } from '../show.js'
import type { ExpectedOutcome } from '../types.js'

/** What came of a sample is what it expects, which is success if it says nothing. */
export async function expectedProblems(run: SampleRun): Promise<string[]> {
  const { sample, result } = run
  const { expect = {} } = sample
  if (typeof expect === 'function') {
    await expect(toOutcome(run))
    return []
  }
  const text = result.content.map(block => (block.type === 'text' ? block.text : '')).join('\n')
  return [
    ...codeProblems(run, expect, text),
    ...textProblems(expect, text),
    ...cardProblems(run, expect),
    ...fileProblems(run, expect),
  ].map(problem => `${labelOf(sample)}: ${problem}`)
}

function codeProblems({ result }: SampleRun, { code }: ExpectedOutcome, text: string): string[] {
  const came = result.isError ? (result.error?.code ?? 'an error') : undefined
  if (came === code) return []
  const said = came === undefined ? 'the call succeeds' : `the call fails with ${came}: ${text.slice(0, 500)}`
  return [code === undefined ? said : `expected the code ${code}, but ${said}`]
}

function textProblems({ text: wanted }: ExpectedOutcome, text: string): string[] {
  if (wanted === undefined) return []
  const holds =
    typeof wanted === 'string'
      ? text.includes(wanted)
      : new RegExp(wanted, wanted.flags.replace(/[gy]/g, '')).test(text)
  return holds ? [] : [`expected ${wanted} in what the model gets, which is: ${text.slice(0, 500)}`]
}

function cardProblems({ resultCard }: SampleRun, { card }: ExpectedOutcome): string[] {
  if (card === undefined || resultCard?.card === card) return []
  return [
    `expected a ${card} card of the result, got ${resultCard === undefined ? 'none' : `a ${resultCard.card} card`}`,
  ]
}

function fileProblems(run: SampleRun, { files = {} }: ExpectedOutcome): string[] {
  const found = toOutcome(run).files
  return Object.entries(files).flatMap(([path, wanted]) => {
    const text = found[path] ?? null
    if (text === wanted) return []
    if (wanted === null) return [`expected no file ${path} after the call, but it is there`]
    return [
      text === null
        ? `expected the file ${path} after the call, but it is not there`
        : `expected ${path} to hold ${show(wanted)} after the call, got ${show(text)}`,
    ]
  })
}
