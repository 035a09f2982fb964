import { join } from 'node:path'
import type { Context, Plugin } from 'cordis'
import type { Config } from '../config/index.js'
import * as checkpoints from './checkpoints/index.js'
import * as fileChange from './file-change/index.js'
import * as hooks from './hooks/index.js'
import * as permission from './permission/index.js'
import * as sandbox from './sandbox/index.js'
import * as timeout from './timeout/index.js'

/** What the gates are set up from. */
export interface GateSettings {
  readonly config: Config
  /** Where the config file is, or would be. */
  readonly configPath?: string
  /** Where the keys of model providers are, or would be. */
  readonly credentialsPath?: string
  /** Absolute. */
  readonly stateDir: string
}

/** The gates that come with Deckhand, outermost first; each must be installed before the next. */
export function shippedGates(settings: GateSettings): readonly Plugin[] {
  const { config, stateDir } = settings
  const hidden = permission.ownFilesOf(settings).map(({ path }) => path)
  return [
    configured(hooks, { hooks: config.hooks }),
    configured(permission, settings),
    configured(timeout, config.timeouts),
    configured(sandbox, { ...config.sandbox, hidden }),
    configured(checkpoints, { ...config.checkpoints, directory: join(stateDir, 'checkpoints') }),
    configured(fileChange, { enabled: config.fileChange, leaveOut: [stateDir] }),
  ]
}

interface Gate<Options> {
  name: string
  inject: string[]
  apply(ctx: Context, options: Options): void | Promise<void>
}

function configured<Options>({ name, inject, apply }: Gate<Options>, options: Options): Plugin {
  return { name, inject, apply: (ctx: Context) => apply(ctx, options) }
}
