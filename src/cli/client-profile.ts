import { type ClientProfile, toClientProfile } from '../bridge/index.js'

/** What each kind of client declares: no terminals, terminals as Zed takes them, terminals by increments. */
export const CLIENT_CAPABILITIES: Readonly<Record<string, { _meta?: Record<string, boolean> }>> = {
  plain: {},
  zed: { _meta: { terminal_output: true } },
  delta: { _meta: { terminal_output_delta: true } },
}

export const CLIENTS = Object.keys(CLIENT_CAPABILITIES)

/** The profile behind `--client`. */
export function clientProfile(name: string): ClientProfile {
  return toClientProfile(CLIENT_CAPABILITIES[name])
}
