import type { Mode } from './modes.js'

/** Who stands behind a tool that is not the program's own: the label is for people, the key says which one it is. */
export interface Provider {
  readonly label: string
  readonly key: string
}

/** What an always-answer remembers. Modes hold for the thread, the others for the project. */
export type Remembered =
  | { readonly type: 'mode'; readonly mode: Mode }
  /** With a provider: of that one alone, whatever tool of this name another has. */
  | { readonly type: 'tool'; readonly name: string; readonly provider?: Provider }
  | { readonly type: 'host'; readonly host: string }
  /** The words of a command; the last may be `*`, which stands for further words. */
  | { readonly type: 'command'; readonly words: readonly string[] }

/** What is decided about one thing that a call would do. `because` is one line without a full stop, for people. */
export type Verdict =
  | { readonly decision: 'allow'; readonly because: string }
  | { readonly decision: 'deny'; readonly because: string }
  | {
      readonly decision: 'ask'
      readonly because: string
      /** What is asked about: a reject_always refuses it from then on. */
      readonly subject: string
      /** What an always-answer remembers, all of it; absent: no always-option. */
      readonly always?: readonly Remembered[]
    }

/** What is decided about a whole call. */
export type CallVerdict =
  | { readonly decision: 'allow'; readonly because: string; readonly granted: readonly string[] }
  | { readonly decision: 'deny'; readonly because: string }
  | {
      readonly decision: 'ask'
      readonly because: string
      readonly subjects: readonly string[]
      /** Empty: no always-option. */
      readonly always: readonly Remembered[]
      /** Real paths outside the roots that the call may touch once it is allowed. */
      readonly granted: readonly string[]
    }

/** The verdict on a call that does several things: deny beats ask, ask beats allow. */
export function combine(verdicts: readonly Verdict[], granted: readonly string[]): CallVerdict {
  const denied = verdicts.find(verdict => verdict.decision === 'deny')
  if (denied) return { decision: 'deny', because: denied.because }
  const asks = verdicts.filter(verdict => verdict.decision === 'ask')
  const [first] = asks
  if (!first) return { decision: 'allow', because: verdicts[0]?.because ?? 'it touches nothing', granted }
  return {
    decision: 'ask',
    because: unique(asks.map(({ because }) => because)).join('; '),
    subjects: unique(asks.map(({ subject }) => subject)),
    always: asks.every(({ always }) => always) ? uniqueRemembered(asks.flatMap(({ always }) => always ?? [])) : [],
    granted,
  }
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}

function uniqueRemembered(items: readonly Remembered[]): Remembered[] {
  return items.filter((item, index) => items.findIndex(other => isSameAnswer(item, other)) === index)
}

/** True if both remember the same. */
export function isSameAnswer(one: Remembered, other: Remembered): boolean {
  return JSON.stringify(toParts(one)) === JSON.stringify(toParts(other))
}

function toParts(answer: Remembered): readonly string[] {
  switch (answer.type) {
    case 'mode':
      return ['mode', answer.mode]
    case 'tool':
      return ['tool', answer.name, ...(answer.provider ? [answer.provider.key] : [])]
    case 'host':
      return ['host', answer.host]
    case 'command':
      return ['command', ...answer.words]
  }
}
