import { oneLine } from '../cards/index.js'

/** So long the first failure waits for others, unless no start is under way before that. */
const GATHER_MS = 2000
const MAX_NAMED = 3
const MAX_REASON_CHARS = 120

interface ServerFailure {
  /** Its name, one line. */
  readonly server: string
  /** One line, without a full stop. */
  readonly reason: string
  /** It was given up after so many tries; else it is tried again. */
  readonly givenUpAfter?: number
}

/** Servers of one session that do not run, as lines for its thread: those that fail together are told in one. */
export class FailureNotes {
  readonly #tell: (text: string) => void
  readonly #failures = new Map<string, ServerFailure>()
  #starts = 0
  #timer: NodeJS.Timeout | undefined

  constructor(tell: (text: string) => void) {
    this.#tell = tell
  }

  /** A start is under way until the returned function is called. */
  begin(): () => void {
    this.#starts += 1
    return () => {
      this.#starts -= 1
      if (this.#starts === 0) this.#flush()
    }
  }

  /** To be told soon; an earlier failure of the same server that waits is told no more. */
  add(failure: ServerFailure): void {
    this.#failures.set(failure.server, failure)
    if (this.#starts === 0) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS).unref()
  }

  /** What waits is told no more. */
  close(): void {
    this.#failures.clear()
    clearTimeout(this.#timer)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const failures = [...this.#failures.values()]
    this.#failures.clear()
    const down = failures.filter(({ givenUpAfter }) => givenUpAfter === undefined)
    const givenUp = failures.filter(({ givenUpAfter }) => givenUpAfter !== undefined)
    if (down.length > 0) this.#tell(toDownText(down))
    if (givenUp.length > 0) this.#tell(toGivenUpText(givenUp))
  }
}

function toDownText(failures: readonly ServerFailure[]): string {
  const [first, second] = failures
  if (first && !second) {
    return `MCP server ${first.server} does not run: ${first.reason}. It is tried again in the background; the log has details.`
  }
  return `${toList(failures, 'do not run')}. They are tried again in the background; the log has details.`
}

function toGivenUpText(failures: readonly ServerFailure[]): string {
  const [first, second] = failures
  if (first && !second) {
    return `MCP server ${first.server} was given up after ${first.givenUpAfter} tries: ${first.reason}. /reload tries again.`
  }
  return `${toList(failures, 'were given up')}. /reload tries again; the log has details.`
}

function toList(failures: readonly ServerFailure[], what: string): string {
  const named = failures
    .slice(0, MAX_NAMED)
    .map(({ server, reason }) => `${server} (${oneLine(reason, MAX_REASON_CHARS)})`)
  const more = failures.length > MAX_NAMED ? ` and ${failures.length - MAX_NAMED} more` : ''
  return `${failures.length} MCP servers ${what}: ${named.join(', ')}${more}`
}
