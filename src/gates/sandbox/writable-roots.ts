import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isInside } from '../../workspace/index.js'

/**
 * The folders that may become writable (real paths): neither the top of the file system nor one that holds the home
 * directory, which would open the whole machine.
 */
export function toWritableRoots(roots: readonly string[], home: string): string[] {
  return roots.filter(root => root === home || !isInside(root, home)).filter(root => root !== '/')
}

/**
 * In a home directory that is itself a root, the entries that start with a dot: shells, editors and programs run by what
 * is in them. Those in which another root lies stay out.
 */
export async function listHomeSettings(roots: readonly string[], home: string): Promise<string[]> {
  if (!roots.includes(home)) return []
  const names = await readdir(home).catch(() => [])
  const paths = names.filter(name => name.startsWith('.')).map(name => join(home, name))
  return paths.filter(path => !roots.some(root => root !== home && isInside(path, root)))
}
