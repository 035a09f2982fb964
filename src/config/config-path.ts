import { posix, win32 } from 'node:path'

export interface ConfigSource {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** The user's home directory, absolute. */
  readonly home: string
}

/**
 * Where the config file is looked for: DECKHAND_CONFIG; else `%APPDATA%\deckhand\config.yml` on Windows and
 * `$XDG_CONFIG_HOME/deckhand/config.yml` (`~/.config` without it) elsewhere, macOS included, where terminal programs and
 * editors keep theirs in the same place.
 */
export function configPath({ env, platform, home }: ConfigSource): string {
  if (env.DECKHAND_CONFIG) return env.DECKHAND_CONFIG
  const path = platform === 'win32' ? win32 : posix
  // The XDG rules say that a relative value counts as unset.
  const absolute = (value: string | undefined) => (value && path.isAbsolute(value) ? value : undefined)
  const folder =
    platform === 'win32'
      ? (absolute(env.APPDATA) ?? path.join(home, 'AppData', 'Roaming'))
      : (absolute(env.XDG_CONFIG_HOME) ?? path.join(home, '.config'))
  return path.join(folder, 'deckhand', 'config.yml')
}
