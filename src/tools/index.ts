import type { Plugin } from 'cordis'
import * as bash from './bash/index.js'
import * as edit from './edit/index.js'
import * as glob from './glob/index.js'
import * as grep from './grep/index.js'
import * as job from './job/index.js'
import * as read from './read/index.js'
import * as todo from './todo/index.js'
import * as write from './write/index.js'

/** What the user's config says to the tools. */
export interface ToolSettings {
  readonly shell?: { readonly path?: string; readonly login?: boolean }
}

/** The tools that come with Deckhand, in the order of the menu. */
export function shippedTools({ shell = {} }: ToolSettings): readonly Plugin[] {
  const { name, inject, apply } = bash
  return [read, write, edit, { name, inject, apply: ctx => apply(ctx, { shell }) }, job, grep, glob, todo]
}
