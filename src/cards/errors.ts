/**
 * Every failure code of Deckhand, with its meaning. A code is what programs test; the message is for the reader, who is
 * the model or the user. Errors are recognised by code and brand, never by class: a plugin brings its own copy.
 */
export const ERROR_CODES = {
  ABORTED: 'The call was stopped after its body had started.',
  ABORTED_BEFORE_DISPATCH: 'The call was stopped before its body started.',
  ADDRESS_REFUSED: 'The address belongs to this machine or to a private network.',
  AMBIGUOUS_MATCH: 'The old text of an edit stands in the file more than once.',
  BINARY_FILE: 'The file is not text.',
  CA_FILE_FAILED: 'The file of trusted certificates cannot be used.',
  CHANGED_SINCE_READ: 'The file has other bytes than this session last saw.',
  COMMAND_FAILED: 'The command ended with a non-zero exit code or by a signal.',
  CONTRACT_BROKEN: 'A tool does not keep what every tool must; found by the checks of deckhand/testing.',
  CREDENTIALS_FAILED: 'The file of keys cannot be read or written.',
  DRIVER_FAILED: 'What decides the next tool call failed, so the turn ended early.',
  DUPLICATE_TOOL: 'A tool of this name is registered already.',
  EDITOR_FAILED: 'The editor, which holds the file, refused, did not answer or is gone.',
  FETCH_FAILED: 'The web server did not give the page, or there is no connection to it.',
  FILE_FAILED: 'The file system refused: permissions, a full disk, a name that is too long.',
  INTERRUPTED: 'The process ended while the call was open.',
  INVALID_ARGS: 'The arguments do not fit the tool.',
  INVALID_TOOL: 'The tool definition lacks something the registry needs.',
  LISTENER_FAILED: 'A listener of tools/execute threw, called next() twice or returned nothing.',
  LOG_FAILED: 'A session log could not be read or written.',
  MCP_TOOL_FAILED: 'An MCP server says that a call of its tool failed.',
  MCP_UNAVAILABLE: 'The MCP server of the tool does not run: it has ended, is starting again, or was given up.',
  MISSING_CWD: 'The working directory does not exist.',
  MODEL_AUTH: 'The provider rejected the key.',
  MODEL_CONTEXT_TOO_LONG: 'The conversation is longer than the model takes.',
  MODEL_FAILED: 'The provider failed, or its answer cannot be understood.',
  MODEL_NO_KEY: 'The provider needs a key and there is none.',
  MODEL_OVERLOADED: 'The provider has no capacity at the moment.',
  MODEL_RATE_LIMITED: 'The provider takes no more requests for now: a rate, a quota or a balance is used up.',
  MODEL_REFUSED: 'The provider refused the content of the request.',
  MODEL_STREAM_DROPPED: 'The answer of the model ended before its end.',
  MODEL_TIMEOUT: 'The provider did not answer in time.',
  MODEL_UNKNOWN: 'No such provider or model.',
  MODEL_UNREACHABLE: 'No connection to the provider: the name, the network, the proxy or the certificate.',
  NOT_A_FILE: 'A directory, a device, a FIFO or a socket where a file is needed.',
  NOT_FOUND: 'No such file or directory.',
  NOT_READ: 'An existing file that this session has not read.',
  NO_MATCH: 'The old text of an edit does not stand in the file.',
  NO_WORKSPACE: 'A relative path without a session to resolve it against.',
  OUTSIDE_WORKSPACE: 'The real path lies outside the workspace.',
  PLUGIN_FAILED: 'A plugin could not be found, loaded or started.',
  PROXY_INVALID: 'The environment names a proxy that is no http or https address.',
  REDIRECTED: 'The web server points to an address that is not followed without a call of its own.',
  REFUSED: 'A gate or the user refused the call.',
  SANDBOX_UNAVAILABLE: 'Commands must run in a sandbox, and none works on this machine.',
  SESSION_LOCKED: 'The session is open in another process.',
  SESSION_NOT_FOUND: 'No session of this id.',
  SPAWN_FAILED: 'The process could not be started.',
  STALE_BUFFER: 'The file has changed on the disk, and the editor holds another text of it.',
  STATE_DIR_FAILED: 'The state directory cannot be written.',
  TIMED_OUT: 'The time limit was reached.',
  TOOL_FAILED: 'The tool threw something without a code.',
  TOO_LARGE: 'The input is over a size limit.',
  TOO_MANY_JOBS: 'The session has as many processes in the background as it may.',
  UNEXPECTED_VALUE: 'A value outside a closed set reached code that handles each member: a fault of the program.',
  UNKNOWN_JOB: 'The session has no process of this id in the background.',
  UNKNOWN_TOOL: 'No tool of this name is registered.',
} as const

export type ErrorCode = keyof typeof ERROR_CODES

const brand = Symbol.for('deckhand.error')

/** Base of all errors of Deckhand. `code` is one of {@link ERROR_CODES}, or a plugin's own upper-case word. */
export class HarnessError extends Error {
  readonly code: string

  constructor(code: ErrorCode | (string & {}), message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'HarnessError'
    this.code = code
    Object.defineProperty(this, brand, { value: true })
  }
}

/** True for a {@link HarnessError} of any copy of this library. */
export function isHarnessError(value: unknown): value is HarnessError {
  return typeof value === 'object' && value !== null && brand in value
}

/** True if `value` is a {@link HarnessError} with this code. */
export function hasErrorCode(value: unknown, code: ErrorCode): boolean {
  return isHarnessError(value) && value.code === code
}
