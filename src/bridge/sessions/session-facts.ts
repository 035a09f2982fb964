import { History, type SessionEvent } from '../../session/index.js'

/** Where a session runs: absolute directories, cwd first among the roots. */
export interface Place {
  cwd: string
  roots: readonly string[]
}

/** What a session knows of itself from its events, live and after a load. */
export class SessionFacts {
  place: Place
  title: string | undefined
  /** As it was recorded last; a word that may be no mode of this version. */
  mode: string | undefined
  /** The model that the session chose last, as `provider/model`. */
  model: string | undefined
  thinkingLevel: string | undefined
  /** What the user refused for the whole session. */
  readonly rejected = new Set<string>()
  /** The conversation for a model. A load fills it, and then each turn adds what happens in it. */
  readonly history = new History()
  turns = 0
  /** The highest number that stands at the end of a call's id so far. */
  #lastCall = 0

  constructor({ cwd, roots }: Place) {
    this.place = { cwd, roots }
  }

  /** The id of the next call: one that no call of the session has had, also before a load. */
  nextCallId(prefix: string): string {
    return `${prefix}-${++this.#lastCall}`
  }

  apply(event: SessionEvent): void {
    switch (event.type) {
      case 'session/config':
        this.title = event.title ?? this.title
        this.mode = event.mode ?? this.mode
        this.model = event.model ?? this.model
        this.thinkingLevel = event.thinkingLevel ?? this.thinkingLevel
        if (event.cwd) this.place = { cwd: event.cwd, roots: event.roots ?? [event.cwd] }
        break
      case 'permission/answered':
        if (event.answer === 'reject_always') for (const subject of event.subjects ?? []) this.rejected.add(subject)
        break
      case 'turn/start':
        this.turns++
        break
      case 'tool/start':
      case 'tool/call':
        this.#lastCall = Math.max(this.#lastCall, Number(/-(\d{1,9})$/.exec(event.callId)?.[1] ?? 0))
        break
      default:
    }
  }
}
