export { apply, inject, name } from './hooks.js'
export type { HookOptions } from './options.js'
