import type { AuthMethod, ClientCapabilities } from '@agentclientprotocol/sdk'

/** How this installation is started to log in. */
export interface LoginCommand {
  command: string
  args: readonly string[]
}

const METHOD = {
  id: 'deckhand-login',
  name: 'Log in to a model provider',
  description:
    "Asks for the provider and its key in a terminal, tries the key, and keeps it in the user's own config directory.",
}

/**
 * The ways to log in that this client can offer: in a terminal of its own, by the protocol's capability or by the older
 * convention in `_meta`. A client that declares neither is offered none.
 */
export function toAuthMethods(
  capabilities: ClientCapabilities | undefined,
  login: LoginCommand | undefined,
): AuthMethod[] {
  if (!login) return []
  if (capabilities?.auth?.terminal === true) return [{ ...METHOD, type: 'terminal', args: ['--login'] }]
  if (capabilities?._meta?.['terminal-auth'] !== true) return []
  const terminal = { label: METHOD.name, command: login.command, args: [...login.args] }
  return [{ ...METHOD, _meta: { 'terminal-auth': terminal } }]
}
