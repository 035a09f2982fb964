export type { HookEffect, HookOptions, HooksOptions } from './options.js'
