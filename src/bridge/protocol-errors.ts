import { RequestError } from '@agentclientprotocol/sdk'
import { isHarnessError } from '../cards/index.js'

/** Invalid params (-32602) with the text that the editor shows. */
export function invalidParams(details: string): RequestError {
  return new RequestError(-32602, 'Invalid params', { details })
}

/** Resource not found (-32002) for a session. */
export function unknownSession(sessionId: string): RequestError {
  return new RequestError(-32002, 'Resource not found', { details: `There is no session ${sessionId}.` })
}

/** Any failure as the protocol error an editor can show: `data.details`, without stack, source path or cause. */
export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  if (isHarnessError(error)) {
    if (error.code === 'SESSION_NOT_FOUND')
      return new RequestError(-32002, 'Resource not found', { details: error.message })
    if (error.code === 'INVALID_ARGS') return invalidParams(error.message)
    return new RequestError(-32603, 'Internal error', { details: error.message })
  }
  return new RequestError(-32603, 'Internal error', {
    details: 'Deckhand failed unexpectedly; its log file says more.',
  })
}
