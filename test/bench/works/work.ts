import type { Stand } from '../stand.js'

/** Figures of one run, by name. Names end in their unit. */
export type Sample = Readonly<Record<string, number>>

/** What a figure may be at most: `ratio` times the same figure of the floor in the same run, or a number of its own. */
export type Budget = { figure: string; ratio: number } | { figure: string; most: number }

/** Something that an agent does, measured from outside, for each contestant in turn. */
export interface Work {
  name: string
  title: string
  /** What its ratios compare with. */
  against: 'floor' | 'floor-llm'
  budgets: readonly Budget[]
  /** Default 3. */
  runs?: number
  /** Throws if the work was not done as it should be. */
  run(stand: Stand, name: string): Promise<Sample>
}
