import type { SessionEvent } from '../session/index.js'

/** Where a session runs: absolute directories, cwd first among the roots. */
export interface Place {
  cwd: string
  roots: readonly string[]
}

/** What a session knows of itself from its events, live and after a load. */
export class SessionFacts {
  place: Place
  title: string | undefined
  turns = 0
  /** At least as many as the calls so far: ids made from it are new. */
  calls = 0

  constructor({ cwd, roots }: Place) {
    this.place = { cwd, roots }
  }

  apply(event: SessionEvent): void {
    switch (event.type) {
      case 'session/config':
        this.title = event.title ?? this.title
        if (event.cwd) this.place = { cwd: event.cwd, roots: event.roots ?? [event.cwd] }
        break
      case 'turn/start':
        this.turns++
        break
      case 'tool/start':
      case 'tool/call':
        this.calls++
        break
      default:
    }
  }
}
