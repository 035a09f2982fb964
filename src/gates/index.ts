import type { Context, Plugin } from 'cordis'
import type { Config } from '../config/index.js'
import * as permission from './permission/index.js'

/** What the gates are set up from. */
export interface GateSettings {
  readonly config: Config
  /** Where the config file is, or would be. */
  readonly configPath?: string
  /** Absolute. */
  readonly stateDir: string
}

/** The gates that come with Deckhand, outermost first; each must be installed before the next. */
export function shippedGates(settings: GateSettings): readonly Plugin[] {
  return [configured(permission, settings)]
}

function configured<Options>(
  { name, inject, apply }: { name: string; inject: string[]; apply(ctx: Context, options: Options): void },
  options: Options,
): Plugin {
  return { name, inject, apply: (ctx: Context) => apply(ctx, options) }
}
