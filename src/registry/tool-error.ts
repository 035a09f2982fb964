import { type ContentBlock, type ErrorCode, HarnessError, isHarnessError, type JsonValue } from '../cards/index.js'

const brand = Symbol.for('deckhand.tool-error')

interface ToolErrorOptions {
  /** What the model gets; default: one text block of the message. */
  content?: ContentBlock[]
  /** What presentResult gets, as on success. */
  meta?: JsonValue
  cause?: unknown
}

/** Thrown by a tool to fail with content and meta of its own: a command's output with its exit code. */
export class ToolError extends HarnessError {
  readonly content?: ContentBlock[]
  readonly meta?: JsonValue

  constructor(code: ErrorCode | (string & {}), message: string, options: ToolErrorOptions = {}) {
    super(code, message, 'cause' in options ? { cause: options.cause } : undefined)
    this.name = 'ToolError'
    if (options.content !== undefined) this.content = options.content
    if (options.meta !== undefined) this.meta = options.meta
    Object.defineProperty(this, brand, { value: true })
  }
}

/** True for a {@link ToolError} of any copy of this library. */
export function isToolError(value: unknown): value is ToolError {
  return isHarnessError(value) && brand in value
}
