export { apply, inject, name } from './hooks.js'
export type { HookEffect, HookOptions, HooksOptions } from './options.js'
