import { type InitializeRequest, type InitializeResponse, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import { type LoginCommand, toAuthMethods } from './auth-methods.js'

/** What this agent honours. A capability stands here only if a handler of ours serves it. */
export function toInitializeResponse(
  { clientCapabilities }: InitializeRequest,
  version: string,
  login: LoginCommand | undefined,
): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'deckhand', title: 'Deckhand', version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: false, audio: false, embeddedContext: true },
      mcpCapabilities: { http: false, sse: false },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
    },
    authMethods: toAuthMethods(clientCapabilities, login),
  }
}
