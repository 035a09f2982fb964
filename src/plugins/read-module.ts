import type { Context } from 'cordis'
import { HarnessError } from '../cards/index.js'
import type { ModuleExports } from './import-module.js'

/** A plugin's module, as far as it is known to be right. */
export interface PluginParts {
  readonly name: string | undefined
  /** Services by name; the values are cordis's. */
  readonly inject: Readonly<Record<string, unknown>>
  /** Not looked at yet: the registry judges each. */
  readonly tools: readonly unknown[]
  readonly apply: ((ctx: Context, config: unknown) => unknown) | undefined
  /** Not looked at yet; see `checkConfig`. */
  readonly schema: unknown
}

/**
 * What a module exports by the names that are known: `tools`, or `apply` with `inject`; `name` and `Config`. Throws
 * PLUGIN_FAILED if it is no plugin.
 */
export function readModule(found: ModuleExports): PluginParts {
  const { name, inject, tools, apply, Config: schema } = found
  if (tools === undefined && apply === undefined) {
    const other = Object.keys(found)
    const hint = other.includes('default') ? ' A default export is not read: export them by these names.' : ''
    throw failure(`it exports neither "tools" nor "apply".${hint}`)
  }
  if (tools !== undefined && !Array.isArray(tools)) throw failure('its "tools" is no list.')
  if (apply !== undefined && typeof apply !== 'function') throw failure('its "apply" is no function.')
  return {
    name: typeof name === 'string' && name !== '' ? name : undefined,
    inject: { ...(tools === undefined ? {} : { tools: null }), ...readInject(inject) },
    tools: tools ?? [],
    apply: apply as PluginParts['apply'],
    schema,
  }
}

function readInject(inject: unknown): Record<string, unknown> {
  if (inject === undefined || inject === null) return {}
  if (Array.isArray(inject) && inject.every(name => typeof name === 'string')) {
    return Object.fromEntries(inject.map(name => [name, null]))
  }
  if (typeof inject === 'object' && !Array.isArray(inject)) return { ...inject }
  throw failure('its "inject" is no list of names.')
}

function failure(message: string): HarnessError {
  return new HarnessError('PLUGIN_FAILED', message)
}
