import { fence, type JsonValue, oneLine, type ToolCallView, type ToolResultView, text } from '../../cards/index.js'
import type { ToolResult } from '../../registry/index.js'

export interface JobArguments {
  action: 'list' | 'output' | 'wait' | 'kill'
  id?: string
}

const MAX_COMMAND_CHARS = 120

export function presentJobCall({ action, id }: JobArguments): ToolCallView | undefined {
  if (action === undefined) return undefined
  const isTerminal = action === 'output' || action === 'wait'
  return { card: isTerminal ? 'terminal' : 'generic', title: toTitle(action, id) }
}

/** The output was streamed; what is left is how the job ended, and which command it was. */
export function presentJobResult({ action, id }: JobArguments, result: ToolResult): ToolResultView | undefined {
  const [block] = result.content
  if (action === 'list') {
    if (result.isError || block?.type !== 'text') return undefined
    return { card: 'generic', content: [text(fence(block.text))] }
  }
  const { meta } = result
  if (action === 'kill' || !isRecord(meta)) return undefined
  const { command, exitCode, signal } = meta
  return {
    card: 'terminal',
    ...(typeof command === 'string' && { title: `${toTitle(action, id)}: ${oneLine(command, MAX_COMMAND_CHARS)}` }),
    ...(typeof exitCode === 'number' && { exitCode }),
    ...(typeof signal === 'string' && { signal }),
  }
}

function toTitle(action: JobArguments['action'], id = 'a job'): string {
  switch (action) {
    case 'list':
      return 'Jobs in the background'
    case 'output':
      return `Output of ${id}`
    case 'wait':
      return `Wait for ${id}`
    case 'kill':
      return `Kill ${id}`
  }
}

function isRecord(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
