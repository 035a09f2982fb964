export type { Sandbox, SandboxOptions } from './options.js'
