import type { CommandContext } from './decision.js'
import type { Part, Reading } from './reading.js'

/** Where a line runs that begins with `cd FOLDER &&`, and its parts without that one. */
export async function followLeadingCd(
  { parts, beginsWithCd }: Reading,
  folder: string,
  toAbsolute: (folder: string, name: string) => string,
  resolve: CommandContext['resolve'],
): Promise<{ folder: string; parts: readonly Part[] }> {
  const [first, ...others] = parts
  const name = first?.words[1]?.value
  const isPlain = first?.words.length === 2 && first.reads.length === 0 && name && !/^[-~]/.test(name)
  // A second cd may run more than once, or not at all: then there is no telling.
  if (!beginsWithCd || !isPlain || others.some(({ words }) => words[0]?.value === 'cd')) return { folder, parts }
  const { realPath, inside } = await resolve(toAbsolute(folder, name)).catch(() => ({ realPath: '', inside: false }))
  return inside ? { folder: realPath, parts: others } : { folder, parts }
}
