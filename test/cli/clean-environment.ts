import { join } from 'node:path'
import { makeDirectory } from '../support/directory.js'

/** An environment without the user's keys and files. */
export function cleanEnvironment(more: Record<string, string> = {}): Record<string, string | undefined> {
  const home = makeDirectory('home')
  return {
    ...{
      DECKHAND_CONFIG: undefined,
      DECKHAND_MODEL: undefined,
      XDG_CONFIG_HOME: undefined,
      APPDATA: join(home, 'roaming'),
    },
    ...{
      ANTHROPIC_API_KEY: undefined,
      DEEPSEEK_API_KEY: undefined,
      OPENAI_API_KEY: undefined,
      OPENAI_MODEL: undefined,
    },
    ...{ HOME: home, USERPROFILE: home, DECKHAND_STATE_DIR: join(home, 'state') },
    ...more,
  }
}

/** Where the keys of such an environment are kept. */
export const credentialsPlace = (env: Record<string, string | undefined>) =>
  process.platform === 'win32'
    ? join(env.APPDATA ?? '', 'deckhand', 'credentials.yml')
    : join(env.HOME ?? '', '.config', 'deckhand', 'credentials.yml')
