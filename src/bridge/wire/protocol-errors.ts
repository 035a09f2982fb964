import { type AnyMessage, RequestError } from '@agentclientprotocol/sdk'
import { isHarnessError } from '../../cards/errors.js'
import { cutText } from '../../cards/one-line.js'
import { toParamsDetails } from './params-details.js'

/** Ids and paths of a request come back in the text of its error, and a client may have sent anything. */
const MAX_DETAILS_CHARS = 2000

/** Invalid params (-32602) with the text that the editor shows. */
export function invalidParams(details: string): RequestError {
  return new RequestError(-32602, 'Invalid params', { details })
}

/** Invalid params (-32602) for a session that is not open here. */
export function noOpenSession(sessionId: string): RequestError {
  return invalidParams(`There is no open session ${sessionId}.`)
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
    if (error.code === 'MODEL_AUTH')
      return new RequestError(-32000, 'Authentication required', { details: error.message })
    if (error.code === 'INVALID_ARGS') return invalidParams(error.message)
    return new RequestError(-32603, 'Internal error', { details: error.message })
  }
  return new RequestError(-32603, 'Internal error', {
    details: 'Deckhand failed unexpectedly; its log file says more.',
  })
}

/** An error answer with a short text in `data.details`, also one that the SDK made of a request it could not take; else the message. */
export function withDetails(message: AnyMessage): AnyMessage {
  if (!('error' in message)) return message
  const { code, message: text, data } = message.error
  const details = cutText(toDetails(data) || text, MAX_DETAILS_CHARS)
  return { ...message, error: { code, message: cutText(text, MAX_DETAILS_CHARS), data: { details } } }
}

function toDetails(data: unknown): string {
  if (typeof data !== 'object' || data === null) return ''
  return 'details' in data && typeof data.details === 'string' ? data.details : toParamsDetails(data)
}
