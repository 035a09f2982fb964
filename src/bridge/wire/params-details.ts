const MAX_PLACES = 5
const MAX_DEPTH = 10

/**
 * What the SDK's check of params says, `_errors` at each place that is wrong, in one line: each place once, though every
 * branch of a union complains there. What is there and wrong comes first: what is missing may belong to another branch.
 */
export function toParamsDetails(data: object): string {
  const places = collect(data, []).map(({ path, reasons }) => ({ path, text: joinReasons(reasons) }))
  const [wrong, missing] = [true, false].map(isWrong => places.filter(({ text }) => isGiven(text) === isWrong))
  const sorted = [...(wrong ?? []), ...(missing ?? [])]
  const shown = sorted.slice(0, MAX_PLACES).map(({ path, text }) => (path === '' ? text : `${path}: ${text}`))
  return [...shown, ...(sorted.length > MAX_PLACES ? [`and ${sorted.length - MAX_PLACES} more`] : [])].join('; ')
}

interface Place {
  readonly path: string
  readonly reasons: readonly string[]
}

function collect(place: object, path: readonly string[]): Place[] {
  return Object.entries(place).flatMap(([key, value]): Place[] => {
    if (key === '_errors' && Array.isArray(value)) {
      return value.length > 0 ? [{ path: path.join('.'), reasons: value.map(String) }] : []
    }
    return typeof value === 'object' && value !== null && path.length < MAX_DEPTH ? collect(value, [...path, key]) : []
  })
}

/** `expected string, received undefined` and `expected "sse"` become `expected string or "sse", received undefined`. */
function joinReasons(reasons: readonly string[]): string {
  const plain = [...new Set(reasons.map(reason => reason.replace(/^Invalid input: /, '')))]
  const found = plain.map(reason => /^expected (.+?)(?:, received (.+))?$/s.exec(reason))
  if (!found.every(match => match !== null)) return plain.join(' or ')
  const received = found.map(match => match[2]).find(kind => kind !== undefined)
  const expected = [...new Set(found.map(match => match[1]))].join(' or ')
  return `expected ${expected}${received === undefined ? '' : `, received ${received}`}`
}

function isGiven(text: string): boolean {
  return /, received (?!undefined$)/.test(text)
}
