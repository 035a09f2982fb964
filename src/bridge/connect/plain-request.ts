type Check = (value: unknown) => boolean

const isText: Check = value => typeof value === 'string'
const orNull =
  (check: Check): Check =>
  value =>
    value === null || check(value)
const listOf =
  (check: Check): Check =>
  value =>
    Array.isArray(value) && value.every(check)

/** An object with all of `required`, what it likes of `optional`, and nothing else. */
function fields(required: Record<string, Check>, optional: Record<string, Check> = {}): Check {
  const names = Object.keys(required)
  return value => {
    if (!isObject(value) || !names.every(name => Object.hasOwn(value, name))) return false
    return Object.entries(value).every(([name, inner]) => {
      const checks = Object.hasOwn(required, name) ? required : optional
      return Object.hasOwn(checks, name) && checks[name]?.(inner)
    })
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const pairs = listOf(fields({ name: isText, value: isText }))
const stdioServer = fields({ name: isText, command: isText, args: listOf(isText), env: pairs })
const webServer = fields({ type: kind => kind === 'http' || kind === 'sse', name: isText, url: isText, headers: pairs })
const place = { cwd: isText, mcpServers: listOf(server => stdioServer(server) || webServer(server)) }
const more = {
  additionalDirectories: listOf(isText),
  _meta: orNull(value => isObject(value) && !Object.hasOwn(value, '__proto__')),
}

const checks: Record<string, Check> = {
  'session/new': fields(place, more),
  'session/load': fields({ ...place, sessionId: isText }, more),
  'session/resume': fields({ ...place, sessionId: isText }, more),
  'session/list': fields({}, { cwd: orNull(isText), cursor: orNull(isText), _meta: more._meta }),
}

/**
 * True for what an editor asks right after its first answer, if the SDK's schemas would take these params as they are: they
 * load as long as all that it then waits for. What is false here may be right too, and is for them to judge.
 */
export function isPlainRequest(method: string, params: unknown): boolean {
  return Object.hasOwn(checks, method) && checks[method]?.(params) === true
}
