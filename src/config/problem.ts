/** Something wrong in the config file. */
export interface ConfigProblem {
  /** For the user: which setting, what was expected, what stands there. */
  readonly text: string
  /** 1-based; absent if the problem is the file's as a whole. */
  readonly line?: number
}

/** The problem on one line, with the file it is in. */
export function describeProblem(path: string, { line, text }: ConfigProblem): string {
  return `${path}${line === undefined ? '' : `:${line}`}: ${text}`
}
