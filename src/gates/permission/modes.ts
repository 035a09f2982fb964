/** How much a session's calls may do without a question. */
export type Mode = 'ask' | 'accept-edits' | 'plan' | 'full-access'

export interface ModeInfo {
  readonly id: Mode
  readonly name: string
  readonly description: string
}

/** All modes, in the order in which they are offered. */
export const MODES: readonly ModeInfo[] = [
  { id: 'ask', name: 'Ask', description: 'Reads and searches are free; edits and most commands ask.' },
  { id: 'accept-edits', name: 'Accept edits', description: 'Edits inside the workspace are free; most commands ask.' },
  { id: 'plan', name: 'Plan', description: 'Looks and plans; changes nothing.' },
  {
    id: 'full-access',
    name: 'Full access',
    description: "Asks nothing. Deny rules hold, and Deckhand's own files stay closed.",
  },
]

/** True for the id of a mode. */
export function isMode(value: unknown): value is Mode {
  return MODES.some(({ id }) => id === value)
}
