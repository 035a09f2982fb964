import type { Context } from 'cordis'
import { createGate } from './gate.js'
import type { HooksOptions } from './options.js'

export const name = 'hooks'
export const inject = ['tools', 'launcher']

/** Runs the user's commands before and after calls; they can refuse a call and tell the model something, never allow one. */
export function apply(ctx: Context, { hooks = [] }: HooksOptions = {}): void {
  if (hooks.length > 0) ctx.on('tools/execute', createGate(ctx, hooks))
}
