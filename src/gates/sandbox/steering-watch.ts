import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { STEERING_PATHS } from './workspace-names.js'

/**
 * Notes what steers later sessions at the top of each root; the function it returns answers the paths that have been made or
 * replaced since. The sandbox cannot keep a file from being made that is not there to be covered.
 */
export async function watchSteering(roots: readonly string[]): Promise<() => Promise<string[]>> {
  const paths = roots.flatMap(root => STEERING_PATHS.map(name => join(root, name)))
  const before = await Promise.all(paths.map(identify))
  return async () => {
    const after = await Promise.all(paths.map(identify))
    return paths.filter((_, index) => after[index] !== undefined && after[index] !== before[index])
  }
}

async function identify(path: string): Promise<string | undefined> {
  return lstat(path).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => undefined,
  )
}
