import type { SessionTools } from './session-tools.js'
import type { JsonSchema } from './types.js'

/** A call of each shipped tool that takes nothing but texts, to try its presenters and effects with: each text is its own name. */
export function sampleCalls(tools: SessionTools): { name: string; arguments: Record<string, string> }[] {
  return tools.shippedSchemas().flatMap(({ name, parameters }) => {
    const args = sampleArguments(parameters)
    try {
      tools.get(name)?.validate?.(args)
    } catch {
      return []
    }
    return { name, arguments: args }
  })
}

function sampleArguments({ properties }: JsonSchema): Record<string, string> {
  const entries = Object.entries((properties ?? {}) as Record<string, JsonSchema>)
  return Object.fromEntries(
    entries.flatMap(([name, { type, enum: only }]) => (type === 'string' && !only ? [[name, name]] : [])),
  )
}
