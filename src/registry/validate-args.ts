import { isRecord } from '../cards/index.js'
import { describeValue, shorten } from './describe-value.js'
import type { PropertySpec, SchemaSpec } from './schema-spec.js'

const MAX_VIOLATIONS = 20
const MAX_NAMES = 8

/**
 * What in `args` does not fit `spec`, one line each (path, expected, got), at most 20; empty if all fits. Says the same as
 * the JSON Schema of `spec`: extra keys are allowed, null is no value, defaults are not applied.
 */
export function validateArgs(spec: SchemaSpec, args: unknown): string[] {
  const violations: string[] = []
  if (isRecord(args)) checkObject(spec, args, '', violations)
  else violations.push(`arguments: expected object, got ${describeValue(args)}`)
  return violations
}

/** True if `value` has the type of `property`; looks into neither items, properties nor enum. */
export function hasPropertyType(property: PropertySpec, value: unknown): boolean {
  switch (property.type) {
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isRecord(value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    default:
      return typeof value === property.type
  }
}

/** `args` without the optional keys of `spec` that are null, nested objects included: models send null for "not given". */
export function dropNulls(spec: SchemaSpec, args: Record<string, unknown>): Record<string, unknown> {
  const entries: [string, unknown][] = []
  for (const [name, value] of Object.entries(args)) {
    const property = Object.hasOwn(spec, name) ? spec[name] : undefined
    if (property === undefined) entries.push([name, value])
    else if (value !== null || property.required === true) entries.push([name, dropNestedNulls(property, value)])
  }
  return Object.fromEntries(entries)
}

function dropNestedNulls(property: PropertySpec, value: unknown): unknown {
  if (property.type === 'object' && property.properties !== undefined && isRecord(value)) {
    return dropNulls(property.properties, value)
  }
  if (property.type === 'array' && property.items !== undefined && Array.isArray(value)) {
    const { items } = property
    return value.map(item => dropNestedNulls(items, item))
  }
  return value
}

function checkObject(spec: SchemaSpec, args: Record<string, unknown>, path: string, violations: string[]): void {
  for (const [name, property] of Object.entries(spec)) {
    const at = path === '' ? name : `${path}.${name}`
    if (Object.hasOwn(args, name) && args[name] !== undefined) checkValue(property, args[name], at, violations)
    else if (property.required === true)
      add(violations, `${at}: expected ${expected(property)}, got ${missing(spec, args)}`)
  }
}

function checkValue(property: PropertySpec, value: unknown, path: string, violations: string[]): void {
  if (violations.length >= MAX_VIOLATIONS) return
  if (!hasPropertyType(property, value) || !isInEnum(property, value)) {
    add(violations, `${path}: expected ${expected(property)}, got ${describeValue(value)}`)
  } else if (property.type === 'object' && property.properties !== undefined) {
    checkObject(property.properties, value as Record<string, unknown>, path, violations)
  } else if (property.type === 'array' && property.items !== undefined) {
    for (const [index, item] of (value as unknown[]).entries()) {
      if (violations.length >= MAX_VIOLATIONS) return
      checkValue(property.items, item, `${path}[${index}]`, violations)
    }
  }
}

function isInEnum(property: PropertySpec, value: unknown): boolean {
  if (!('enum' in property) || property.enum === undefined) return true
  return (property.enum as readonly unknown[]).includes(value)
}

function expected(property: PropertySpec): string {
  if (!('enum' in property) || property.enum === undefined) return property.type
  const values = property.enum.slice(0, MAX_NAMES).map(value => JSON.stringify(value))
  return `one of ${values.join(', ')}${property.enum.length > MAX_NAMES ? ', …' : ''}`
}

/** Names the keys that came instead: most often the right value stands under a wrong name. */
function missing(spec: SchemaSpec, args: Record<string, unknown>): string {
  const others = Object.keys(args).filter(name => !Object.hasOwn(spec, name))
  if (others.length === 0) return 'nothing'
  const names = others.slice(0, MAX_NAMES).map(name => shorten(name, 40))
  return `nothing (unknown keys: ${names.join(', ')}${others.length > MAX_NAMES ? ', …' : ''})`
}

function add(violations: string[], line: string): void {
  if (violations.length < MAX_VIOLATIONS) violations.push(line)
}
