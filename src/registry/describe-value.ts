const MAX_TEXT = 40

/** A value as an error message names it: its type and, if that is short, the value. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return `array of ${value.length}`
  if (typeof value === 'string') return `string ${JSON.stringify(shorten(value, MAX_TEXT))}`
  if (typeof value === 'number' || typeof value === 'boolean') return `${typeof value} ${value}`
  return typeof value
}

/** `value` cut to `max` characters, with an ellipsis if anything was cut; never between the halves of a pair. */
export function shorten(value: string, max: number): string {
  if (value.length <= max) return value
  const cut = value.charCodeAt(max - 1)
  const isHighHalf = cut >= 0xd800 && cut <= 0xdbff
  return `${value.slice(0, isHighHalf ? max - 1 : max)}…`
}
