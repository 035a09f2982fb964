import picomatch from 'picomatch'
import type { ToolEffects } from '../../registry/index.js'
import type { HookEffect, HookOptions } from './options.js'

/** A hook, and which calls it is for. */
export interface SelectableHook {
  readonly hook: HookOptions
  fits(tool: string, effects: ToolEffects | undefined): boolean
}

/** Reads each hook's filters once. The names of tools in them are the user's own. */
export function toSelectable(hooks: readonly HookOptions[]): SelectableHook[] {
  return hooks.map(hook => {
    const fitsName = hook.tools === undefined ? () => true : picomatch(hook.tools, { dot: true })
    return {
      hook,
      fits: (tool, effects) =>
        fitsName(tool) && (hook.effects === undefined || hook.effects.some(effect => hasEffect(effects, effect))),
    }
  })
}

function hasEffect(effects: ToolEffects | undefined, effect: HookEffect): boolean {
  // A tool that declares nothing may do any of it.
  if (effects === undefined) return true
  if (effect === 'undeclared') return false
  const declared = effects[effect]
  return Array.isArray(declared) ? declared.length > 0 : declared !== undefined
}
