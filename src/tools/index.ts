import type { Context, Plugin } from 'cordis'
import * as askUser from './ask-user/index.js'
import * as bash from './bash/index.js'
import * as edit from './edit/index.js'
import * as fetch from './fetch/index.js'
import * as glob from './glob/index.js'
import * as grep from './grep/index.js'
import * as job from './job/index.js'
import * as read from './read/index.js'
import * as todo from './todo/index.js'
import * as write from './write/index.js'

/** What the user's config says to the tools, and what they say of themselves. */
export interface ToolSettings {
  readonly shell?: { readonly path?: string; readonly login?: boolean }
  readonly caFile?: string | undefined
  /** Of Deckhand; web servers are told. */
  readonly version?: string
}

/** The tools that come with Deckhand, in the order of the menu. */
export function shippedTools({ shell = {}, caFile, version }: ToolSettings): readonly Plugin[] {
  const network = { ...(caFile !== undefined && { caFile }), ...(version !== undefined && { version }) }
  return [read, write, edit, configured(bash, { shell }), job, grep, glob, configured(fetch, network), todo, askUser]
}

interface Tool<Options> {
  name: string
  inject: string[]
  apply(ctx: Context, options: Options): void
}

function configured<Options>({ name, inject, apply }: Tool<Options>, options: Options): Plugin {
  return { name, inject, apply: (ctx: Context) => apply(ctx, options) }
}
