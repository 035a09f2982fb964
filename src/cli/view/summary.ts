import type { Finding, TranscriptLine } from '../../bridge/index.js'

/** A finding with the place on the page where it stands. */
export interface PlacedFinding extends Finding {
  line: number
  anchor: string
}

const MAX_LISTED = 500
const STATUSES: ReadonlySet<string> = new Set(['pending', 'in_progress', 'completed', 'failed'])

/** What stands at the top: counts over the whole transcript. */
export class Summary {
  readonly messages = { in: 0, out: 0, broken: 0 }
  bytes = 0
  readonly calls = new Map<string, number>()
  /** The first ones. */
  readonly findings: PlacedFinding[] = []
  findingCount = 0
  sessionCount = 0
  title: string | undefined

  count(item: TranscriptLine): void {
    if (item.type === 'broken') {
      this.messages.broken++
      this.bytes += Buffer.byteLength(item.text ?? '')
      return
    }
    this.messages[item.dir]++
    this.bytes += item.bytes
  }

  /** A call that was shown with this status; `before` is the one it was counted with. */
  countCall(status: string, before?: string): void {
    if (before !== undefined) this.#add(before, -1)
    this.#add(status, 1)
  }

  #add(status: string, count: number): void {
    const known = STATUSES.has(status) ? status : 'of another status'
    this.calls.set(known, (this.calls.get(known) ?? 0) + count)
  }

  find(finding: PlacedFinding): void {
    this.findingCount++
    if (this.findings.length < MAX_LISTED) this.findings.push(finding)
  }
}
