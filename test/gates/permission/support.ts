import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context, Plugin } from 'cordis'
import { onTestFinished } from 'vitest'
import { type Config, defaultConfig } from '../../../src/config/index.js'
import type { Mode, Permissions } from '../../../src/gates/permission/index.js'
import * as permission from '../../../src/gates/permission/index.js'
import type { ApprovalAnswer, ApprovalQuestion, ToolDefinition } from '../../../src/registry/index.js'
import * as edit from '../../../src/tools/edit/index.js'
import * as glob from '../../../src/tools/glob/index.js'
import * as grep from '../../../src/tools/grep/index.js'
import * as read from '../../../src/tools/read/index.js'
import * as todo from '../../../src/tools/todo/index.js'
import * as write from '../../../src/tools/write/index.js'
import { rawTool } from '../../registry/support.js'
import { openWorkbench, type Workbench } from '../../support/workbench.js'

type PermissionSection = Config['permissions']

export interface GateOptions {
  mode?: Mode
  permissions?: Partial<PermissionSection>
  strict?: boolean
  /** Further tools; each answers `ok`. */
  tools?: Record<string, Partial<ToolDefinition>>
  /** null: nobody can be asked. Default: every question is refused. */
  answer?: ((question: ApprovalQuestion, ctx: Context) => ApprovalAnswer | Promise<ApprovalAnswer>) | null
}

export interface GateBench extends Workbench {
  /** Temporary, beside the workspace, without links. */
  outside: string
  stateDir: string
  configPath: string
  permissions: Permissions
  /** The questions so far. */
  asked: ApprovalQuestion[]
  notes: string[]
}

/** A workspace with the file tools behind the permission gate, and a user who gives the answers of the test. */
export async function openGate(options: GateOptions = {}): Promise<GateBench> {
  const { mode = 'ask', strict = false, answer = () => 'reject_once', tools = {} } = options
  const outside = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-outside-')))
  onTestFinished(() => rm(outside, { recursive: true, force: true }))
  const stateDir = join(outside, 'state')
  const configPath = join(outside, 'config', 'config.yml')
  const config: Config = { ...defaultConfig(), strict }
  config.permissions = { ...config.permissions, mode, ...options.permissions }
  const asked: ApprovalQuestion[] = []
  const notes: string[] = []
  const user: Plugin = {
    name: 'user',
    apply(ctx: Context) {
      if (answer === null) return
      ctx.provide('approver', {
        async ask(question) {
          asked.push(question)
          return answer(question, ctx)
        },
        note: (_agent, text) => void notes.push(text),
      })
    },
  }
  const gate: Plugin = {
    name: permission.name,
    inject: permission.inject,
    apply: (ctx: Context) => permission.apply(ctx, { config, configPath, stateDir }),
  }
  const more: Plugin = {
    name: 'more',
    inject: ['tools'],
    apply(ctx: Context) {
      for (const [name, parts] of Object.entries(tools)) ctx.tools.register(rawTool(name, parts))
    },
  }
  const bench = await openWorkbench(user, gate, read, write, edit, grep, glob, todo, more)
  const permissions = bench.ctx.get('permissions')
  if (!permissions) throw new Error('the gate is not there')
  return { ...bench, outside, stateDir, configPath, permissions, asked, notes }
}

/** Rules for one section of the config. */
export function rules(parts: { allow?: string[]; ask?: string[]; deny?: string[] }) {
  return { allow: [], ask: [], deny: [], ...parts }
}
