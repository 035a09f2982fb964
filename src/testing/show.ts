import type { ToolSample } from './types.js'

const MAX_LABEL = 60

/** A value in one short line. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = tryJson(value) ?? typeof value
  return text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL)}…` : text
}

/** What a sample is called in checks and messages. */
export function labelOf({ name, args }: ToolSample): string {
  return name ?? show(args)
}

function tryJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
