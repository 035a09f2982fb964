import { type InitializeRequest, type InitializeResponse, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'

/** What this agent honours. A capability stands here only if a handler of ours serves it. */
export function toInitializeResponse(_request: InitializeRequest, version: string): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'deckhand', title: 'Deckhand', version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: false, audio: false, embeddedContext: true },
      mcpCapabilities: { http: false, sse: false },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
    },
    authMethods: [],
  }
}
