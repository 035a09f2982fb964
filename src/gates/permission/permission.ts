import type { Context } from 'cordis'
import { createGate } from './gate.js'
import { ownFilesOf } from './own-files.js'
import { type PermissionOptions, Permissions } from './permissions.js'

export const name = 'permission'
export const inject = ['tools', 'files']

/** Provides the service `permissions`, and stands before every tool: lets a call through, refuses it, or asks the user. */
export function apply(ctx: Context, options: PermissionOptions): void {
  const permissions = new Permissions(ctx, options)
  ctx.provide('permissions', permissions)
  ctx.on('tools/execute', createGate(ctx, permissions))
  ctx.effect(() => {
    ctx.files.withhold(ownFilesOf(options).map(({ path }) => path))
    return () => {
      ctx.files.withhold([])
      permissions.close()
    }
  }, 'permission')
}
