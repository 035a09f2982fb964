import { HarnessError } from './errors.js'

/** For the end of an exhaustive switch: the compiler refuses it while a member is unhandled; throws UNEXPECTED_VALUE. */
export function assertNever(value: never): never {
  throw new HarnessError('UNEXPECTED_VALUE', `Unexpected value: ${String(JSON.stringify(value)).slice(0, 200)}`)
}
