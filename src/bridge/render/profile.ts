import type { ClientCapabilities } from '@agentclientprotocol/sdk'

/** The key under which a client takes terminal output; terminal_info and terminal_exit have one name for all. */
export type TerminalOutputKey = 'terminal_output' | 'terminal_output_delta'

/** What the renderer has to know of a client; nothing is sent that its capabilities do not allow. */
export interface ClientProfile {
  /** Absent: the client draws no terminals, and output goes out as a fenced text block. */
  readonly terminalOutputKey?: TerminalOutputKey
  /** Both fs methods are there; one of the two alone is not used. */
  readonly files: boolean
  readonly notices: boolean
  readonly compaction: boolean
  readonly booleanOptions: boolean
  /** The user can be asked by a form. */
  readonly forms: boolean
}

/** The profile of a client, from what it declared at initialize. Only a literal true counts. */
export function toClientProfile(capabilities: ClientCapabilities | undefined): ClientProfile {
  const terminalOutputKey = toTerminalOutputKey(capabilities?._meta)
  return {
    ...(terminalOutputKey ? { terminalOutputKey } : {}),
    files: capabilities?.fs?.readTextFile === true && capabilities.fs.writeTextFile === true,
    notices: isDeclared(capabilities?.session?.notices),
    compaction: isDeclared(capabilities?.session?.compaction),
    booleanOptions: isDeclared(capabilities?.session?.configOptions?.boolean),
    forms: isDeclared(capabilities?.elicitation?.form),
  }
}

function toTerminalOutputKey(meta: ClientCapabilities['_meta']): TerminalOutputKey | undefined {
  if (meta?.terminal_output === true) return 'terminal_output'
  return meta?.terminal_output_delta === true ? 'terminal_output_delta' : undefined
}

function isDeclared(capability: unknown): boolean {
  return typeof capability === 'object' && capability !== null && !Array.isArray(capability)
}
