import type { LookSpec } from './look-spec.js'

const DIFF_FLAGS = 'abprRstuwz'
const DIFF_LONG = `patch no-patch raw stat numstat shortstat dirstat summary name-only name-status compact-summary cumulative unified
  patch-with-stat minimal patience histogram diff-algorithm color no-color color-moved no-color-moved color-words word-diff
  word-diff-regex no-renames find-renames find-copies find-copies-harder ignore-space-at-eol ignore-space-change ignore-all-space
  ignore-blank-lines ignore-cr-at-eol function-context text full-index binary abbrev exit-code quiet check no-ext-diff no-textconv
  ignore-submodules src-prefix dst-prefix no-prefix relative no-relative inter-hunk-context diff-filter pickaxe-all
  pickaxe-regex merge-base cached staged`
const LOG_LONG = `oneline graph decorate no-decorate all branches tags remotes merges no-merges first-parent reverse follow
  abbrev-commit no-abbrev-commit pretty date relative-date parents children left-right cherry-pick cherry-mark cherry boundary
  topo-order date-order author-date-order simplify-by-decoration full-history dense sparse no-walk walk-reflogs invert-grep
  all-match regexp-ignore-case extended-regexp fixed-strings perl-regexp no-notes source use-mailmap root`
const LOG_VALUES = 'max-count skip since until after before author committer grep grep-reflog format encoding'

const diff: LookSpec = { flags: DIFF_FLAGS, values: 'SG', glued: 'UMCBXlD', long: DIFF_LONG, operands: 'revisions' }
const log: LookSpec = {
  flags: `${DIFF_FLAGS}cmgiEFP`,
  values: 'SG',
  counts: 'n',
  glued: 'UMCBlD',
  numbers: true,
  long: `${DIFF_LONG} ${LOG_LONG}`,
  longValues: LOG_VALUES,
  operands: 'revisions',
}

/** Options that may stand before git's subcommand. */
export const GIT_GLOBALS = ['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs']

/** The subcommands of git that only look. */
export const GIT_LOOKS: Readonly<Record<string, LookSpec>> = {
  'git blame': {
    flags: 'bcefklnpstw',
    values: 'L',
    glued: 'MC',
    long: 'root show-stats reverse porcelain line-porcelain incremental abbrev first-parent score-debug show-name show-number show-email color-lines color-by-age date',
    longValues: 'since ignore-rev',
    operands: 'revisions',
  },
  'git branch': {
    flags: 'arvilq',
    long: 'list all remotes verbose show-current merged no-merged contains no-contains points-at ignore-case color no-color column no-column abbrev no-abbrev quiet sort format',
    operands: 'revisions',
    operandsNeed: 'l list merged no-merged contains no-contains points-at',
  },
  'git diff': diff,
  'git log': log,
  'git ls-files': {
    flags: 'cdmosiutvfkz',
    values: 'x',
    long: 'cached deleted modified others ignored stage unmerged killed directory no-empty-directory eol deduplicate exclude-standard full-name recurse-submodules error-unmatch abbrev',
    longValues: 'exclude format',
    operands: 'paths',
  },
  'git remote': { flags: 'v', long: 'verbose', operands: 'none' },
  'git rev-parse': {
    flags: 'q',
    long: 'verify quiet short abbrev-ref symbolic symbolic-full-name all branches tags remotes glob show-toplevel show-prefix show-cdup show-superproject-working-tree git-dir absolute-git-dir git-common-dir is-inside-git-dir is-inside-work-tree is-bare-repository is-shallow-repository show-object-format revs-only no-revs flags no-flags default',
    operands: 'revisions',
  },
  'git show': log,
  'git status': {
    flags: 'sbvz',
    glued: 'uM',
    long: 'short branch show-stash porcelain long verbose untracked-files ignore-submodules ignored column no-column ahead-behind no-ahead-behind renames no-renames find-renames null',
    operands: 'paths',
  },
}
