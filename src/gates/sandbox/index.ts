export type { SandboxOptions } from './options.js'
export { apply, inject, name } from './sandbox.js'
