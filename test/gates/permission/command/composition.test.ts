import { describe, expect, it } from 'vitest'
import { useCommandBench } from './command-support.js'

const bench = useCommandBench()
const rules = { allow: ['git *'], deny: ['rm *'] }

describe('a composed command, with git * allowed and rm * denied (B62)', () => {
  it.each([
    'git log && rm x',
    'git log; rm x',
    'git log;rm x',
    'git log || rm x',
    'git log | rm x',
    'git log |& rm x',
    'git log & rm x',
    'git log\nrm x',
    'git log # nothing\nrm x',
    'git log \\\n; rm x',
    'rm x && git log',
    'rm x',
    'rm',
    '(rm x)',
    'git log; (cd src; (rm x))',
    '{ rm x; }',
    '! rm x',
    'time rm x',
    'if git log; then rm x; fi',
    'if rm x; then git log; fi',
    'if git log; then git log; elif git log; then git log; else rm x; fi',
    'for f in a b; do rm $f; done',
    'while rm x; do git log; done',
    'until git log; do rm x; done',
    'case x in a) git log ;; *) rm x ;; esac',
    'select f in a; do rm $f; done',
    'f() { rm x; }; git log',
    'function f { rm x; }',
    'coproc rm x',
    'git log $(rm x)',
    'git log "$(rm x)"',
    'git log `rm x`',
    'git log "`rm x`"',
    'git log $(git show $(rm x))',
    'git log <(rm x)',
    'git log > >(rm x)',
    `git log \${X:-$(rm x)}`,
    'git log $(( $(rm x) ))',
    'X=1 rm x',
    'X=$(rm x) git log',
    'X=$(rm x)',
    'arr=($(rm x))',
    'git log > $(rm x)',
    'git log <<E\n$(rm x)\nE',
    'git log <<< "$(rm x)"',
    '[[ -n $(rm x) ]]',
    'for f in $(rm x); do git log; done',
    'rm x > /dev/null 2>&1',
    '> out rm x',
    'rm x &',
    'git log &&\n\nrm x',
    'git log; $(rm x) y',
  ])('denies %j', async command => {
    expect(await bench.decide(command, rules)).toMatchObject({ decision: 'deny', row: 'rule-deny' })
  })

  it.each([
    'git log',
    'git log | git apply',
    'git log && git show; git diff',
    '(git log; git show)',
    '{ git log; }',
    'if git log; then git show; else git diff; fi',
    'for f in a b; do git show $f; done',
    'while git log; do git show; done',
    'case x in a) git log ;; esac',
    '! git log',
    'git log $X',
    'git log "$X" *.ts',
    'time git log',
    'git log 2>&1 >/dev/null',
    'git log &> /dev/null',
    'git log # rm x',
    'git log "# ; rm x"',
    "git log '$(rm x)'",
    "git commit -m 'a && rm x; `rm x`'",
    "git commit -F - <<'E'\n$(rm x)\nrm x\nE",
    'git log \\\n  --oneline',
    'git log & git show',
    'git log; git show;',
    '# rm x',
  ])('allows %j', async command => {
    expect(await bench.decide(command, rules)).toMatchObject({ decision: 'allow' })
  })

  it.each([
    ['git log > out', 'writes to a file'],
    ['git log >> out', 'writes to a file'],
    ['git log >| out', 'writes to a file'],
    ['git log &> out', 'writes to a file'],
    ['git log >& out', 'writes to a file'],
    ['git log <> out', 'writes to a file'],
    ['git log 2> $X', 'writes to a file'],
    ['git log {fd}> /dev/null', 'sets a variable'],
    ['GIT_PAGER=sh git log', 'sets variables for the command'],
    ['X=1', 'sets variables'],
    ['git log $(git show)', 'make a part of its text'],
    ['git log `git show`', 'make a part of its text'],
    ['git log <(git show)', 'process substitution'],
    ['git log $((1 + 1))', 'arithmetic'],
    ['(( x = 1 )); git log', 'arithmetic'],
    ['for ((i = 0; i < 1; i++)); do git log; done', 'arithmetic'],
    ['[[ a = b ]] && git log', '[[ ]] test'],
    [`git log \${X@P}`, 'computes with a variable'],
    [`git log \${!X}`, 'computes with a variable'],
    [`git log \${a[1]}`, 'computes with a variable'],
    [`git log \${X:=y}`, 'computes with a variable'],
    ['git $X', 'shows only when it runs'],
    ['$X log', 'which command it runs'],
    ['$(echo git) log', 'make a part of its text'],
    ['g?t log', 'which command it runs'],
    ['{git,rm} log', 'which command it runs'],
    ['~/git log', 'which command it runs'],
    ['git() { :; }; git log', 'defines a function'],
    ['alias git=ls; git log', 'runs text as code'],
    ['for PATH in src; do git log; done', 'sets an environment variable'],
    ['coproc git log', 'coprocess'],
    ['git log @(a|b)', 'extended pattern'],
    ['export X=1; git log', 'export changes how'],
    ['set -e; git log', 'set changes how'],
    ['> /dev/null', 'a part without a command'],
  ])('asks about %j, and never for good', async (command, because) => {
    const found = await bench.decide(command, rules)
    expect(found).toMatchObject({ decision: 'ask', onlyLooks: false })
    expect(found.because).toContain(because)
    expect(found.always).toBeUndefined()
  })

  it('looks at the rule of the tool it is for: a rule allows the exact words, never a longer name', async () => {
    for (const command of ['gitx log', 'git-log', './git log', '/usr/bin/git push', 'sub/git log', 'GIT log']) {
      expect(await bench.decide(command, rules)).toMatchObject({ decision: 'ask' })
    }
  })
})
