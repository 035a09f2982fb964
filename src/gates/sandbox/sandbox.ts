import type { Context } from 'cordis'
import { detectBackend } from './detect.js'
import { createGate } from './gate.js'
import type { Sandbox, SandboxOptions } from './options.js'
import { SandboxService } from './sandbox-service.js'
import { TemporaryFolders } from './temporary-folders.js'

declare module 'cordis' {
  interface Context {
    /** Where commands run; absent without the gate. */
    sandbox: Sandbox
  }
}

export const name = 'sandbox'
export const inject = ['tools', 'launcher']

/** Provides the service `sandbox` and makes the commands of calls run in it. */
export async function apply(ctx: Context, options: SandboxOptions = {}): Promise<void> {
  const { forSession } = ctx.tools
  const { get } = ctx
  const isOff = (options.mode ?? 'off') === 'off'
  const sandbox = new SandboxService({
    options,
    detection: isOff ? { problem: 'The sandbox is off.' } : await detectBackend(ctx.launcher, process.platform),
    effectsOf: ({ agent, name: tool, arguments: args }) => forSession(agent?.sessionId).effects(tool, args),
    canAsk: () => get('approver') !== undefined,
  })
  ctx.provide('sandbox', sandbox)
  if (isOff) return
  if (sandbox.problem !== undefined) ctx.logger('sandbox').warn('%s', sandbox.problem)
  const temporaryFolders = new TemporaryFolders()
  ctx.effect(() => () => temporaryFolders.close(), 'sandbox folders')
  ctx.on('tools/execute', createGate(ctx, options, sandbox, temporaryFolders))
}
