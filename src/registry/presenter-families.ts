import type { JsonValue, ToolCallView, ToolResultView } from '../cards/index.js'
import { HarnessError } from '../cards/index.js'
import { contain } from './contain.js'
import { errorMessage } from './failure.js'
import type { PresentedBy, ToolResult } from './types.js'

/** Presenters as a tool has them: pure, of their arguments and of the facts that they were made from. */
export interface FamilyPresenters {
  presentCall?(args: Record<string, unknown>): ToolCallView | undefined
  presentPartial?(args: Record<string, unknown>): ToolCallView | undefined
  presentResult?(args: Record<string, unknown>, result: ToolResult): ToolResultView | undefined
}

/** Makes the presenters of a tool from its logged facts, which may be anything. Undefined or a throw: the generic card. */
export type MakePresenters = (facts: JsonValue) => FamilyPresenters | undefined

/** Presenters that outlive the tools they are of: a log names their family, and the facts that they need. */
export class PresenterFamilies {
  readonly #families = new Map<string, MakePresenters>()

  /** Returns its undo. Throws DUPLICATE_TOOL for a family that is there. */
  add(family: string, make: MakePresenters): () => void {
    if (this.#families.has(family)) {
      throw new HarnessError('DUPLICATE_TOOL', `A family of presenters named ${family} is registered already.`)
    }
    this.#families.set(family, make)
    return () => this.#families.delete(family)
  }

  /** Undefined for an unknown family, and for facts that it can make nothing of. Never throws. */
  find(presentedBy: unknown, warn: (problem: string) => void): FamilyPresenters | undefined {
    return contain<FamilyPresenters | undefined>(
      () => {
        const { family, facts } = presentedBy as PresentedBy
        const presenters: unknown = this.#families.get(family)?.(facts)
        return typeof presenters === 'object' && presenters !== null ? presenters : undefined
      },
      error => warn(`presentedBy: ${errorMessage(error)}`),
    )
  }
}
