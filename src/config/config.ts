import type { z } from 'zod'
import type { configSchema } from './schema.js'

/** The settings as plain data, defaults filled in. */
export interface Config extends z.output<typeof configSchema> {
  /** The file has problems: what it allows does not count, and everything that would be free asks. */
  strict: boolean
}

/** The settings of a user without a config file, which the schema's defaults are too: a start without a file loads no schema. */
export function defaultConfig(): Config {
  const rules = () => ({ allow: [], ask: [], deny: [] })
  return {
    permissions: {
      mode: 'ask',
      userCommands: 'allow',
      commands: rules(),
      write: rules(),
      read: rules(),
      tools: rules(),
      hosts: rules(),
    },
    shell: { login: false },
    sandbox: { mode: 'off', network: false, write: [], read: [] },
    hooks: [],
    timeouts: { callMs: 35 * 60_000 },
    clientFiles: true,
    fileChange: true,
    checkpoints: { maxBytes: 512 * 1024 * 1024 },
    mcpServers: {},
    plugins: [],
    models: [],
    providers: {},
    strict: false,
  }
}
