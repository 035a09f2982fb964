import { posix, win32 } from 'node:path'
import { type ConfigSource, configPath } from './config-path.js'

/** Where `deckhand login` keeps keys: beside the usual place of the config file, also if DECKHAND_CONFIG names another. */
export function credentialsPath({ env, platform, home }: ConfigSource): string {
  const { DECKHAND_CONFIG: _, ...others } = env
  const { dirname, join } = platform === 'win32' ? win32 : posix
  return join(dirname(configPath({ env: others, platform, home })), 'credentials.yml')
}
