import { lstat, readFile } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { findRepositoryTop } from './repository-top.js'
import { isInside } from './resolve-path.js'
import { RuleHints } from './walk-hints.js'
import { toTopRules } from './walk-rule-lines.js'

const MAX_RULE_FILE_BYTES = 1024 * 1024

/** The ignore rules in force in one directory, over paths relative to a common top. Immutable. */
export class IgnoreRules {
  static readonly none = new IgnoreRules(undefined, undefined)

  private constructor(
    private readonly rules: Ignore | undefined,
    private readonly hints: RuleHints | undefined,
  ) {}

  /** `directory` is relative to the top, with `/`, empty for the top. Neither it nor one above it may be ignored itself. */
  ignores(directory: string, name: string, isDirectory: boolean): boolean {
    if (this.rules === undefined || this.hints?.mayMatch(directory, name) !== true) return false
    const path = directory === '' ? name : `${directory}/${name}`
    return this.rules.ignores(isDirectory ? `${path}/` : path)
  }

  /** These rules and those that lie in `directory`, which is `prefix` from the top. */
  async within(directory: string, prefix: string, has: { git: boolean; gitignore: boolean }): Promise<IgnoreRules> {
    const texts = [
      has.git ? await readExclude(directory) : '',
      has.gitignore ? await readRuleFile(join(directory, '.gitignore')) : '',
    ]
    const lines = texts.flatMap(text => toTopRules(text, prefix))
    if (lines.length === 0) return this
    const ignoreCase = process.platform === 'win32' || process.platform === 'darwin'
    const rules = ignore({ ignorecase: ignoreCase })
    if (this.rules) rules.add(this.rules)
    return new IgnoreRules(rules.add(lines), new RuleHints(this.hints, lines, ignoreCase))
  }
}

/** The rules above a directory, and where it lies from the top that they count from. */
export interface RulesAbove {
  rules: IgnoreRules
  prefix: string
}

/**
 * Reads the rules from the top of the repository, or of the workspace root, down to above `directory` (a real path). A
 * directory that they ignore was named on purpose: then they do not hold inside it.
 */
export async function readRulesAbove(directory: string, roots: readonly string[]): Promise<RulesAbove> {
  const top = findRepositoryTop(directory) ?? outermostRoot(directory, roots) ?? directory
  const segments = relative(top, directory)
    .split(sep)
    .filter(segment => segment !== '')
  let rules = IgnoreRules.none
  for (const [index, segment] of segments.entries()) {
    const prefix = segments.slice(0, index).join('/')
    const current = join(top, ...segments.slice(0, index))
    rules = await rules.within(current, prefix, {
      git: (await kindOf(join(current, '.git'))) !== undefined,
      gitignore: (await kindOf(join(current, '.gitignore'))) === 'file',
    })
    if (rules.ignores(prefix, segment, true)) {
      return { rules: IgnoreRules.none, prefix: '' }
    }
  }
  return { rules, prefix: segments.join('/') }
}

function outermostRoot(directory: string, roots: readonly string[]): string | undefined {
  return roots.filter(root => isInside(root, directory)).sort((a, b) => a.length - b.length)[0]
}

// .git is a directory, or in a linked worktree and a submodule a file that names one (whose exclude may be shared).
async function readExclude(directory: string): Promise<string> {
  let gitDirectory = join(directory, '.git')
  if ((await kindOf(gitDirectory)) === 'file') {
    const target = /^gitdir: (.+?)\s*$/.exec(await readRuleFile(gitDirectory))?.[1]
    if (target === undefined) return ''
    gitDirectory = resolve(directory, target)
    const common = (await readRuleFile(join(gitDirectory, 'commondir'))).trim()
    if (common !== '') gitDirectory = resolve(gitDirectory, common)
  }
  return readRuleFile(join(gitDirectory, 'info', 'exclude'))
}

// Only regular files: opening a FIFO would wait for a writer. What cannot be read has no rules.
async function readRuleFile(path: string): Promise<string> {
  try {
    const stats = await lstat(path)
    if (!stats.isFile() || stats.size > MAX_RULE_FILE_BYTES) return ''
    return await readFile(path, 'utf8')
  } catch {
    return ''
  }
}

async function kindOf(path: string): Promise<'file' | 'directory' | undefined> {
  try {
    return (await lstat(path)).isDirectory() ? 'directory' : 'file'
  } catch {
    return undefined
  }
}
