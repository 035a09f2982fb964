import type { Context, Fiber } from 'cordis'

// cordis's FiberState is an ambient const enum, which isolated modules cannot read.
const LOADING = 1
const ACTIVE = 2

/**
 * Adds something for as long as the calling plugin lives; `add` returns its undo. The disposer is idempotent. Of a plugin
 * that is being torn down nothing is added: cordis takes such an effect and never undoes it (B83).
 */
export function callerEffect(ctx: Context, label: string, add: () => () => void): () => void {
  if (!isLive(ctx.fiber)) {
    ctx.logger('tools').warn('%s', `${label}: not kept, the plugin ${ctx.fiber.name} is being torn down`)
    return () => {}
  }
  const undo = ctx.fiber.effect(add, label)
  return () => {
    undo()
  }
}

function isLive(fiber: Fiber): boolean {
  let current = fiber
  while (current.uid !== null && (current.state === LOADING || current.state === ACTIVE)) {
    const parent = current.parent.fiber
    if (parent === current) return true
    current = parent
  }
  return false
}
