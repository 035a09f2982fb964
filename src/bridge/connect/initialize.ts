import { type InitializeRequest, type InitializeResponse, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import { invalidParams } from '../wire/protocol-errors.js'
import { type LoginCommand, toAuthMethods } from './auth-methods.js'

const MAX_VERSION = 65_535

/**
 * The params of initialize, read by hand: the SDK's schemas take longer to build than all else of a first answer. As with
 * them, a version is required, and what else is not as it should be counts as absent. -32602 without a version.
 */
export function toInitializeRequest(params: unknown): InitializeRequest {
  const { protocolVersion, clientCapabilities } = toRecord(params) ?? {}
  if (!isVersion(protocolVersion)) {
    throw invalidParams(`protocolVersion: expected a whole number from 0 to ${MAX_VERSION}`)
  }
  const capabilities = toRecord(clientCapabilities)
  return { protocolVersion, ...(capabilities ? { clientCapabilities: capabilities } : {}) }
}

function isVersion(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_VERSION
}

function toRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

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
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
    },
    authMethods: toAuthMethods(clientCapabilities, login),
  }
}
