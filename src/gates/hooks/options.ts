/** Which calls a hook runs for; `undeclared`: calls that declare no effects and so may do anything. */
export type HookEffect = 'reads' | 'writes' | 'runs' | 'network' | 'undeclared'

/** A command of the user that runs before or after calls. Only ever from the user's own config, never from a repository. */
export interface HookOptions {
  event: 'before' | 'after'
  /** Text for the shell (`/bin/sh`; PowerShell on Windows), or a program and its arguments. */
  command: string | readonly string[]
  /** Only calls with one of these effects; absent: all. */
  effects?: readonly HookEffect[]
  /** Only tools whose name fits this glob; absent: all. */
  tools?: string
  /** Default 10,000; at most 300,000. */
  timeoutMs?: number
  /** A call is refused when this hook, before it, is broken; without it a broken hook is reported and the call goes on. */
  required?: boolean
}

/** The section `hooks`: they run one after another in this order. */
export interface HooksOptions {
  hooks?: readonly HookOptions[]
}
