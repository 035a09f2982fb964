import type { z } from 'zod'
import { nearestKey } from './nearest-key.js'
import { configSchema } from './schema.js'

export type SettingPath = readonly (string | number)[]

type Issue = z.core.$ZodIssue

interface Finding {
  path: SettingPath
  text: string
  /** Nothing stands there, and something must. */
  isMissing: boolean
}

/** A finding of the schema in words: one for each key that is no setting, else one. */
export function describeIssue(issue: Issue, data: unknown): Finding[] {
  const path = issue.path.filter(key => typeof key !== 'symbol')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => ({ path: [...path, key], text: describeUnknown(path, key), isMissing: false }))
  }
  const name = path.length === 0 ? 'the file' : toName(path)
  const value = valueAt(data, path)
  return [{ path, text: `${name}: ${toExpectation(issue)}, got ${describe(value)}`, isMissing: value === undefined }]
}

function describeUnknown(path: SettingPath, key: string): string {
  const known = keysAt(path)
  const nearest = nearestKey(key, known)
  const hint = nearest ? `did you mean ${nearest}?` : `known here: ${known.join(', ')}`
  return `${toName([...path, key])} is no setting; ${hint}`
}

function toExpectation(issue: Issue): string {
  switch (issue.code) {
    case 'custom':
      return issue.message
    case 'invalid_key':
      return issue.issues[0]?.message ?? issue.message
    case 'invalid_type':
      return `expected ${NAMES[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `expected ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'too_small':
      return issue.origin === 'string' ? 'expected some text' : `expected at least ${issue.minimum}`
    case 'too_big':
      return `expected at most ${issue.maximum}`
    default:
      return issue.message
  }
}

const NAMES: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'settings (key: value)',
  string: 'text',
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'settings (key: value)'
  const shown = JSON.stringify(value)
  return shown.length > 60 ? `${shown.slice(0, 59)}…` : shown
}

function toName(path: SettingPath): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key + 1}]` : `${index ? '.' : ''}${key}`)).join('')
}

function valueAt(data: unknown, path: SettingPath): unknown {
  let value = data
  for (const key of path) value = (value as Record<string | number, unknown> | undefined)?.[key]
  return value
}

/** The settings that there are at a place of the file. */
function keysAt(path: SettingPath): string[] {
  let schema: unknown = configSchema
  for (const key of path) {
    const { shape, element, def } = bare(schema)
    schema = typeof key === 'number' ? element : (shape?.[key] ?? def?.valueType)
  }
  return Object.keys(bare(schema).shape ?? {})
}

interface BareSchema {
  def?: { innerType?: unknown; valueType?: unknown }
  shape?: Record<string, unknown>
  element?: unknown
}

/** A schema without the wrappers that give it a default. */
function bare(schema: unknown): BareSchema {
  let inner = schema as BareSchema | undefined
  while (inner?.def?.innerType !== undefined) inner = inner.def.innerType as typeof inner
  return inner ?? {}
}
