import type { Budget, Sample } from '../works/work.js'

/** Something that is measured in this process, on the sources. */
export interface InsideWork {
  name: string
  title: string
  /** Numbers of their own: there is no floor. */
  budgets: readonly Budget[]
  run(): Promise<Sample>
}
