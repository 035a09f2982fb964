import type { ToolCallLocation } from '@agentclientprotocol/sdk'
import type { Location } from '../../cards/index.js'
import type { CallState } from '../calls/call-state.js'
import { jsonBytes } from '../wire/serialized-size.js'
import { isInSpace, type PathSpace, toAbsolutePath } from './path-space.js'
import type { ClientProfile, TerminalOutputKey } from './profile.js'

const MAX_LOCATIONS_BYTES = 64 * 1024

/** All that rendering depends on besides the call. */
export interface RenderContext {
  readonly profile: ClientProfile
  /** Other spellings of a directory, such as the real path of a link; data that was gathered before. */
  readonly spellings: (directory: string) => readonly string[]
  readonly windows: boolean
}

/** The directories that the call's paths are seen from: those in force when it came. */
export function toPathSpace(call: CallState, { spellings, windows }: RenderContext): PathSpace {
  return { ...call.place, spellings, windows }
}

/** The key for the call's terminal output; undefined if it has no terminal at this client. */
export function terminalKey(call: CallState, { profile }: RenderContext): TerminalOutputKey | undefined {
  // terminal_info is read on tool_call only, so a card that went out early cannot become a terminal.
  return call.view?.card === 'terminal' && !call.early ? profile.terminalOutputKey : undefined
}

/** Absolute locations, one per file in order, as many as fit beside a card's content. */
export function toWireLocations(space: PathSpace, locations: readonly Location[]): ToolCallLocation[] {
  const found = new Map<string, ToolCallLocation>()
  let room = MAX_LOCATIONS_BYTES
  for (const { path, line } of locations) {
    const absolute = toAbsolutePath(space, path)
    if (found.has(absolute)) continue
    const location = { path: absolute, ...(isLine(line) ? { line } : {}) }
    room -= jsonBytes(location) + 1
    if (room < 0) break
    found.set(absolute, location)
  }
  return [...found.values()]
}

/**
 * The locations of a call's own view. An editor opens the files that it follows: of a card whose facts come from a server, only
 * those in the session's directories.
 */
export function toCallLocations(
  call: CallState,
  locations: readonly Location[],
  context: RenderContext,
): ToolCallLocation[] {
  const space = toPathSpace(call, context)
  const isFromServer = call.presentedBy !== undefined
  return toWireLocations(
    space,
    locations.filter(({ path }) => !isFromServer || isInSpace(space, toAbsolutePath(space, path))),
  )
}

/** True for a line number that the wire can hold. */
export function isLine(line: number | undefined): line is number {
  return line !== undefined && line >= 1 && line <= 0xffff_ffff
}
