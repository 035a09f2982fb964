import type { z } from 'zod'
import { configSchema } from './schema.js'

/** The settings as plain data, defaults filled in. */
export interface Config extends z.output<typeof configSchema> {
  /** The file has problems: what it allows does not count, and everything that would be free asks. */
  strict: boolean
}

/** The settings of a user without a config file. */
export function defaultConfig(): Config {
  return { ...configSchema.parse({}), strict: false }
}
