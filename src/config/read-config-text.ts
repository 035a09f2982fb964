import { LineCounter, parseDocument } from 'yaml'
import { type Config, defaultConfig } from './config.js'
import { describeIssue, type SettingPath } from './describe-issue.js'
import type { ConfigProblem } from './problem.js'
import { configSchema } from './schema.js'
import { lineOf } from './setting-line.js'
import { strictest } from './strictest.js'

// What is left after the first round is valid, but for what a removed part was needed for.
const MAX_ROUNDS = 5
const MAX_PROBLEMS = 50

/** The settings in a file's text. With problems, what is valid counts, read as strictly as it can be. */
export function readConfigText(text: string): { config: Config; problems: ConfigProblem[] } {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const faults = [...document.errors, ...document.warnings]
  if (faults.length > 0) {
    const problems = faults.slice(0, MAX_PROBLEMS).map(({ message, pos }) => ({
      text: `no valid YAML: ${message}`,
      line: lines.linePos(pos[0]).line,
    }))
    return { config: strictest(defaultConfig(), [[]]), problems }
  }
  let data: unknown
  try {
    data = withoutNulls(document.toJS({ maxAliasCount: 100 }) ?? {})
  } catch (error) {
    const text = `no valid YAML: ${error instanceof Error ? error.message : String(error)}`
    return { config: strictest(defaultConfig(), [[]]), problems: [{ text }] }
  }
  const problems: ConfigProblem[] = []
  const faulty: SettingPath[] = []
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const reading = configSchema.safeParse(data)
    if (reading.success) {
      const config = { ...reading.data, strict: false }
      problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
      return { config: problems.length > 0 ? strictest(config, faulty) : config, problems }
    }
    const removed: SettingPath[] = []
    for (const issue of reading.error.issues) {
      for (const { path, text, isMissing } of describeIssue(issue, data)) {
        const line = lineOf(document, lines, path)
        if (problems.length < MAX_PROBLEMS) problems.push({ text, ...(line === undefined ? {} : { line }) })
        faulty.push(path)
        removed.push(isMissing ? path.slice(0, -1) : path)
      }
    }
    // Without what is wrong, the rest still counts: deny rules first of all.
    data = removed.some(path => path.length === 0) ? {} : without(data, removed)
  }
  return { config: strictest(defaultConfig(), [[]]), problems }
}

/** A key without a value, as when all below it is commented out, counts as absent. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, withoutNulls(inner)]])),
  )
}

function without(value: unknown, paths: readonly SettingPath[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  const isFaulty = (key: string | number) => paths.some(path => path.length === 1 && String(path[0]) === String(key))
  const below = (key: string | number) =>
    paths.filter(path => path.length > 1 && String(path[0]) === String(key)).map(path => path.slice(1))
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => (isFaulty(index) ? [] : [without(item, below(index))]))
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (isFaulty(key) ? [] : [[key, without(inner, below(key))]])),
  )
}
