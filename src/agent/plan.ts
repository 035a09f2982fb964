import {
  cutText,
  type JsonValue,
  type PlanEntry,
  type PlanEntryPriority,
  type PlanEntryStatus,
} from '../cards/index.js'

const MAX_ENTRIES = 200
const MAX_CONTENT = 1000
const STATUSES: readonly PlanEntryStatus[] = ['pending', 'in_progress', 'completed']
const PRIORITIES: readonly PlanEntryPriority[] = ['high', 'medium', 'low']

/** The plan in a result's `meta.plan`, bounded; undefined if there is none or its shape is wrong. */
export function toPlan(meta: JsonValue | undefined): PlanEntry[] | undefined {
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta) || !Array.isArray(meta.plan)) return undefined
  const entries = meta.plan.slice(0, MAX_ENTRIES).map(toPlanEntry)
  return entries.includes(undefined) ? undefined : entries.filter(entry => entry !== undefined)
}

function toPlanEntry(value: JsonValue): PlanEntry | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const status = STATUSES.find(known => known === value.status)
  const priority = PRIORITIES.find(known => known === value.priority)
  if (typeof value.content !== 'string' || status === undefined || priority === undefined) return undefined
  return { content: cutText(value.content, MAX_CONTENT), status, priority }
}
