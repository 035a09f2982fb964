import { posix, win32 } from 'node:path'
import { HarnessError } from '../cards/errors.js'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The directory of logs and caches, absolute. DECKHAND_STATE_DIR decides; else the platform's usual place. Throws
 * STATE_DIR_FAILED if DECKHAND_STATE_DIR is relative: where it pointed to would depend on who started the process.
 */
export function stateDirectory(env: Environment, platform: NodeJS.Platform, home: string): string {
  const path = platform === 'win32' ? win32 : posix
  const own = env.DECKHAND_STATE_DIR
  if (own) {
    if (path.isAbsolute(own)) return path.normalize(own)
    throw new HarnessError(
      'STATE_DIR_FAILED',
      `DECKHAND_STATE_DIR must be an absolute path, not ${JSON.stringify(own)}.`,
    )
  }
  const absolute = (value: string | undefined) => (value && path.isAbsolute(value) ? value : undefined)
  if (platform === 'win32') {
    return path.join(absolute(env.LOCALAPPDATA) ?? path.join(home, 'AppData', 'Local'), 'deckhand')
  }
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'deckhand')
  // The XDG rules say that a relative value counts as unset.
  return path.join(absolute(env.XDG_STATE_HOME) ?? path.join(home, '.local', 'state'), 'deckhand')
}
