import { isDeepStrictEqual } from 'node:util'
import { show } from './show.js'

/** Where two plain values differ first, as `title: "a", then "b"`. */
export function firstDifference(one: unknown, other: unknown, at = ''): string {
  if (isObject(one) && isObject(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])]
    const key = keys.find(name => !isDeepStrictEqual(one[name], other[name]))
    if (key !== undefined)
      return firstDifference(one[key], other[key], key === 'value' && at === '' ? '' : join(at, key))
  }
  return `${at === '' ? '' : `${at}: `}${show(one)}, then ${show(other)}`
}

function join(at: string, key: string): string {
  return at === '' ? key : /^\d+$/.test(key) ? `${at}[${key}]` : `${at}.${key}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
