import { isContentBlock, isRecord, isToolCallView, isToolKind, isToolResultView, TOOL_KINDS } from '../cards/index.js'
import { show } from './show.js'

type Problems = (value: unknown, at: string) => string[]

const string: Problems = (value, at) => expect(typeof value === 'string', at, 'a string', value)
const path: Problems = (value, at) => expect(typeof value === 'string' && value !== '', at, 'a path', value)
const line: Problems = (value, at) => expect(isCount(value, 1), at, 'a line number, counted from 1', value)
const exitCode: Problems = (value, at) => expect(isCount(value, 0), at, 'an exit code, 0 or more', value)
const kind: Problems = (value, at) => expect(isToolKind(value), at, `one of ${TOOL_KINDS.join(', ')}`, value)
const block: Problems = (value, at) => expect(isContentBlock(value), at, 'a content block', value)

const location: Problems = (value, at) =>
  isRecord(value)
    ? [...path(value.path, `${at}.path`), ...optional(line, value.line, `${at}.line`)]
    : no(at, 'an object', value)

const diff: Problems = (value, at) => {
  if (!isRecord(value)) return no(at, 'an object', value)
  const { oldText, newText } = value
  const isSame = typeof newText === 'string' && oldText === newText
  return [
    ...path(value.path, `${at}.path`),
    ...expect(
      oldText === null || typeof oldText === 'string',
      `${at}.oldText`,
      'a string, or null for a new file',
      oldText,
    ),
    ...string(newText, `${at}.newText`),
    ...(isSame ? [`${at}: oldText and newText are equal; leave out what did not change`] : []),
    ...optional(line, value.line, `${at}.line`),
  ]
}

const CALL_FIELDS: Record<string, Record<string, Problems>> = {
  generic: {
    kind: maybe(kind),
    content: maybe(list(block)),
    locations: maybe(list(location)),
    paths: maybe(list(path)),
  },
  terminal: { description: maybe(string), cwd: maybe(string) },
  diff: { diffs: list(diff), locations: maybe(list(location)) },
}

const RESULT_FIELDS: Record<string, Record<string, Problems>> = {
  generic: { content: maybe(list(block)), locations: maybe(list(location)) },
  terminal: {
    output: maybe(string),
    exitCode: maybe(exitCode),
    signal: maybe(string),
    locations: maybe(list(location)),
  },
  diff: { diffs: list(diff) },
}

/** Why the registry would not take what a presentCall returned; empty if it would. */
export function callViewProblems(view: unknown): string[] {
  return viewProblems(view, CALL_FIELDS, string, isToolCallView)
}

/** Why the registry would not take what a presentResult returned; empty if it would. */
export function resultViewProblems(view: unknown): string[] {
  return viewProblems(view, RESULT_FIELDS, maybe(string), isToolResultView)
}

function viewProblems(
  view: unknown,
  cards: Record<string, Record<string, Problems>>,
  title: Problems,
  isView: (view: unknown) => boolean,
): string[] {
  if (view instanceof Promise) return ['it returns a promise; a presenter answers at once']
  if (!isRecord(view)) return no('the card', 'an object or undefined', view)
  const { card } = view
  const fields = typeof card === 'string' && Object.hasOwn(cards, card) ? cards[card] : undefined
  if (fields === undefined) return no('card', `one of ${Object.keys(cards).join(', ')}`, card)
  const found = Object.entries({ ...fields, title }).flatMap(([name, check]) => check(view[name], name))
  // Whatever else the registry refuses is a problem too, if one without a name.
  return found.length > 0 || isView(view)
    ? found
    : ['a field holds more than a card may: too many entries, or no plain data']
}

function list(check: Problems): Problems {
  return (value, at) =>
    Array.isArray(value)
      ? value.slice(0, 20).flatMap((entry, index) => check(entry, `${at}[${index}]`))
      : no(at, 'a list', value)
}

function maybe(check: Problems): Problems {
  return (value, at) => optional(check, value, at)
}

function optional(check: Problems, value: unknown, at: string): string[] {
  return value === undefined ? [] : check(value, at)
}

function expect(holds: boolean, at: string, wanted: string, came: unknown): string[] {
  return holds ? [] : no(at, wanted, came)
}

function no(at: string, wanted: string, came: unknown): string[] {
  return [`${at}: expected ${wanted}, got ${show(came)}`]
}

function isCount(value: unknown, min: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= min
}
