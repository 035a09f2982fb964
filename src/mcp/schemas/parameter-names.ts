import type { Json } from './shape.js'

/** What providers take as the name of a parameter at the top. */
const NAME = /^[a-zA-Z0-9_.-]{1,64}$/
const MAX_LENGTH = 64

/** Parameters whose names a model cannot be told get others: `told` is by the new names, `original` leads from these to the old. */
export function renameParameters(properties: Json): { told: Json; original: ReadonlyMap<string, string> } {
  const original = new Map<string, string>()
  const taken = new Set(Object.keys(properties).filter(name => NAME.test(name)))
  const told = Object.entries(properties).map(([name, property]): [string, unknown] => {
    if (NAME.test(name)) return [name, property]
    const free = toFreeName(name, taken)
    taken.add(free)
    original.set(free, name)
    return [free, property]
  })
  return { told: Object.fromEntries(told), original }
}

function toFreeName(name: string, taken: ReadonlySet<string>): string {
  const base = name.replace(/[^a-zA-Z0-9_.-]+/g, '_').slice(0, MAX_LENGTH) || '_'
  for (let count = 1; ; count++) {
    const end = count === 1 ? '' : `_${count}`
    const free = `${base.slice(0, MAX_LENGTH - end.length)}${end}`
    if (!taken.has(free)) return free
  }
}
