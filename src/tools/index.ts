import type { Plugin } from 'cordis'
import * as bash from './bash/index.js'
import * as edit from './edit/index.js'
import * as glob from './glob/index.js'
import * as grep from './grep/index.js'
import * as read from './read/index.js'
import * as todo from './todo/index.js'
import * as write from './write/index.js'

/** The tools that come with Deckhand, in the order of the menu. */
export const shippedTools: readonly Plugin[] = [read, write, edit, bash, grep, glob, todo]
