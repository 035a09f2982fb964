/** The kinds of a generic card. */
export const TOOL_KINDS = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
] as const

/** How a client treats a generic card: its icon and its place. */
export type ToolKind = (typeof TOOL_KINDS)[number]

/** True for the name of a kind. */
export function isToolKind(value: unknown): value is ToolKind {
  return TOOL_KINDS.some(kind => kind === value)
}
