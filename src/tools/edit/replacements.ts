import { ToolArgsError } from '../../registry/index.js'
import { toLfText } from './lf-view.js'

/** One replacement, with LF as its line ending. */
export interface Replacement {
  oldText: string
  newText: string
  all: boolean
}

interface RawReplacement {
  old_string?: string | null
  new_string?: string | null
  replace_all?: boolean | null
}

export interface EditArgs extends RawReplacement {
  path: string
  edits?: { old_string: string; new_string: string; replace_all?: boolean }[] | null
}

/** The replacements that the arguments ask for, in order. Throws INVALID_ARGS unless they have exactly one of the two forms. */
export function toReplacements(args: EditArgs): Replacement[] {
  const { edits } = args
  const single = [args.old_string, args.new_string, args.replace_all].some(isGiven)
  if (single === isGiven(edits)) {
    throw invalid([`pass either old_string and new_string, or edits${single ? ', not both' : ''}`])
  }
  const given: RawReplacement[] = edits ?? [args]
  const violations = given.flatMap((edit, n) => check(edit, edits ? `edits[${n}].` : ''))
  if (given.length === 0) violations.push('edits: expected at least one entry, got none')
  if (violations.length > 0) throw invalid(violations)
  return given.map(edit => ({
    oldText: toLfText(edit.old_string ?? ''),
    newText: toLfText(edit.new_string ?? ''),
    all: edit.replace_all === true,
  }))
}

function check(edit: RawReplacement, at: string): string[] {
  const { old_string: oldString, new_string: newString } = edit
  if (!isGiven(oldString)) return [`${at}old_string: expected a string, got none`]
  if (!isGiven(newString)) return [`${at}new_string: expected a string, got none (an empty one deletes)`]
  if (oldString === '') {
    return [`${at}old_string is empty, but an edit replaces text that is there. To create a file, write it whole`]
  }
  if (hasLoneSurrogate(oldString) || hasLoneSurrogate(newString)) {
    return [`${at}old_string and new_string must be valid Unicode: one holds half of a surrogate pair`]
  }
  if (oldString === newString) return [`${at}old_string and new_string are the same: there is nothing to change`]
  if (toLfText(oldString) === toLfText(newString)) {
    return [`${at}old_string and new_string differ in line endings only, and an edit keeps those of the file`]
  }
  return []
}

function invalid(violations: string[]): ToolArgsError {
  return new ToolArgsError('edit', violations)
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null
}

function hasLoneSurrogate(value: string): boolean {
  return /\p{Cs}/u.test(value)
}
