import * as z from 'zod'
import { findPatternFault } from './command-pattern.js'
import { mcpServers } from './mcp-servers.js'
import { modelSettings } from './model-settings.js'
import { pluginList } from './plugin-list.js'

const text = z.string().min(1)
const pattern = text.superRefine((value, ctx) => {
  const fault = findPatternFault(value)
  if (fault !== undefined) ctx.addIssue({ code: 'custom', message: fault })
})
/** 0: no limit. */
const limitMs = z.int().min(0).max(86_400_000)

function lists<T extends z.ZodType>(item: T) {
  const list = z.array(item).default([])
  return z.strictObject({ allow: list, ask: list, deny: list }).prefault({})
}

const permissions = z
  .strictObject({
    mode: z.enum(['ask', 'accept-edits', 'plan', 'full-access']).default('ask'),
    userCommands: z.enum(['allow', 'ask', 'off']).default('allow'),
    commands: lists(pattern),
    write: lists(text),
    read: lists(text),
    tools: lists(text),
    hosts: lists(text),
  })
  .prefault({})

const hook = z.strictObject({
  event: z.enum(['before', 'after']),
  effects: z.array(z.enum(['reads', 'writes', 'runs', 'network'])).optional(),
  tools: text.optional(),
  command: z.union(
    [text, z.array(text).min(1)],
    'expected text for the shell, or a list of a program and its arguments',
  ),
  timeoutMs: z.int().min(1).max(300_000).default(10_000),
  required: z.boolean().optional(),
})

/** The config file, and the default of everything that it leaves out. */
export const configSchema = z.strictObject({
  permissions,
  shell: z.strictObject({ path: text.optional(), login: z.boolean().default(false) }).prefault({}),
  sandbox: z
    .strictObject({
      mode: z.enum(['off', 'auto', 'required']).default('off'),
      network: z.boolean().default(false),
      write: z.array(text).default([]),
      read: z.array(text).default([]),
      userCommands: z.boolean().optional(),
    })
    .prefault({}),
  hooks: z.array(hook).default([]),
  timeouts: z
    .strictObject({
      // Above the longest that the command tool itself allows, so that its own report of a timeout comes first.
      callMs: limitMs.default(35 * 60_000),
      readsMs: limitMs.optional(),
      writesMs: limitMs.optional(),
      runsMs: limitMs.optional(),
      networkMs: limitMs.optional(),
      undeclaredMs: limitMs.optional(),
    })
    .prefault({}),
  clientFiles: z.boolean().default(true),
  fileChange: z.boolean().default(true),
  checkpoints: z
    .strictObject({
      maxBytes: z
        .int()
        .min(0)
        .default(512 * 1024 * 1024),
    })
    .prefault({}),
  mcpServers,
  plugins: pluginList,
  ...modelSettings,
})
