import type { Context } from 'cordis'
import { expectTypeOf, it } from 'vitest'
import type { PluginContext } from '../../src/plugins/types.js'
// The services that the context is read for.
import type {} from '../../src/registry/index.js'
import type {} from '../../src/workspace/index.js'

it('gives a plugin all that its context promises', () => {
  const take = (ctx: PluginContext) => ctx
  expectTypeOf(take).toBeCallableWith({} as Context)
})
