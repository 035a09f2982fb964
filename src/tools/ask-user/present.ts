import { type ToolCallView, text } from '../../cards/index.js'

export interface AskArguments {
  question: string
  options?: readonly string[] | null
}

/** The question is the title, and stands whole in the body with its options: a title is cut. */
export function presentAskCall({ question, options }: AskArguments): ToolCallView | undefined {
  if (question === undefined) return undefined
  const list = (options ?? []).map(option => `- ${option.trim()}`)
  return {
    card: 'generic',
    kind: 'other',
    title: question.trim(),
    content: [text([question.trim(), ...(list.length > 0 ? ['', ...list] : [])].join('\n'))],
  }
}
