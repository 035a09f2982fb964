/** The known key that `key` is most likely a slip of; undefined if none is near. */
export function nearestKey(key: string, known: readonly string[]): string | undefined {
  const wanted = fold(key)
  let nearest: string | undefined
  let least = Math.max(1, Math.floor(key.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(wanted, fold(candidate))
    if (distance < least) [nearest, least] = [candidate, distance]
  }
  return nearest
}

// user_commands and usercommands are slips of userCommands.
function fold(key: string): string {
  return key.slice(0, 64).replace(/[-_ ]/g, '').toLowerCase()
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (a[i] === b[j] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]!
}
