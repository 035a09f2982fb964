import { type ClientProfile, toClientProfile } from '../bridge/index.js'

/** What each kind of client declares: no terminals, terminals as Zed takes them, terminals by increments. */
const DECLARED = {
  plain: {},
  zed: { terminal_output: true },
  delta: { terminal_output_delta: true },
} as const

export const CLIENTS = Object.keys(DECLARED)

/** The profile behind `--client`. */
export function clientProfile(name: string): ClientProfile {
  return toClientProfile({ _meta: DECLARED[name as keyof typeof DECLARED] ?? {} })
}
