import { describe, expect, it } from 'vitest'
import { useCommandBench } from './command-support.js'

const bench = useCommandBench()
const rules = { allow: ['git *'], deny: ['rm *', 'git push *', 'npm publish *'] }

describe('spellings of a denied command (B62)', () => {
  it.each([
    '\\rm x',
    "'r'm x",
    '"r""m" x',
    'r\\m x',
    "$'rm' x",
    "$'\\x72m' x",
    "$'\\162\\155' x",
    '$"rm" x',
    "r''m x",
    'r\\\nm x',
    '/bin/rm x',
    './rm x',
    '../rm x',
    'C:\\\\bin\\\\rm.exe x',
    'RM x',
    'rm.exe x',
    'ｒｍ x',
    'r\u200bm x',
    'command rm x',
    'builtin rm x',
    'exec rm x',
    'exec -a git rm x',
    'busybox rm x',
    'env rm x',
    'env -i A=b rm x',
    'env -u A -C / rm x',
    'nice rm x',
    'nice -n 5 rm x',
    'nohup rm x',
    'timeout 5 rm x',
    'timeout -k 5 --signal KILL 5 rm x',
    'time rm x',
    '/usr/bin/time -f %e rm x',
    'sudo rm x',
    'sudo -u root A=b rm x',
    'sudo -- rm x',
    'doas rm x',
    'setsid rm x',
    'stdbuf -oL rm x',
    'xargs rm',
    'xargs -0 -n 1 rm -f',
    'find . -exec rm {} \\;',
    'find . -execdir rm {} +',
    'find . -ok rm {} \\;',
    'find . -exec git log \\; -exec rm {} +',
    'fd -x rm',
    'sh -c "rm x"',
    'sh -c "git log; rm x"',
    "bash -lc 'rm x'",
    'bash -c \'sh -c "rm x"\'',
    'sh <<E\nrm x\nE',
    "bash <<< 'rm x'",
    'eval rm x',
    "eval 'git log;' rm x",
    "trap 'rm x' EXIT",
    "alias git='rm x'",
    'env -S "rm x"',
    "watch 'rm x'",
    'ssh host rm x',
    "su -c 'rm x'",
    'npx -c "rm x"',
    'npm exec -- rm x',
    "git -c alias.x='!rm x' x",
    "git -c core.pager='rm x' log",
    "git submodule foreach 'rm x'",
    "git rebase --exec 'rm x' main",
    'git bisect run rm x',
    'git push',
    'git -C src push',
    'git -c a=b --no-pager push origin',
    'git --git-dir=x push',
    'git --git-dir x push',
    'npm --prefix src publish',
    'timeout 5 nice sudo env A=b rm x',
  ])('denies %j', async command => {
    expect(await bench.decide(command, rules)).toMatchObject({ decision: 'deny' })
  })

  it.each([
    ['rм x', 'a Cyrillic letter'],
    ['ɡit log', 'another g'],
    ['git\u00a0log', 'a blank that does not part words'],
    ['git log \u202e', 'a character that turns the text around'],
    ['git lo\u200bg', 'an invisible character'],
    ['git log\r\ngit show', 'CRLF, whose CR is part of a word'],
    ['git log\0', 'NUL'],
    ['git log \x1b[2K', 'an escape sequence'],
    ['git l\\\nog', 'a word over two lines'],
    ["git $'\\x{6c}og'", 'an escape that shells read differently'],
  ])('asks about %j (%s), never for good', async command => {
    const found = await bench.decide(command, rules)
    expect(found).toMatchObject({ decision: 'ask' })
    expect(found.always).toBeUndefined()
  })

  it.each([
    'git -C src log',
    'git -Csrc log',
    'git -c core.pager=less log',
    'git -ccore.pager=less log',
    'git --config-env=a=B log',
    'git --exec-path=src log',
    'git --git-dir=src log',
    'git --work-tree src log',
    'git fetch --upload-pack=x origin',
    "git clone 'ext::sh -c x' y",
    'git rebase --exec "git log" main',
  ])('asks about %j, whose options reach further than its rule says', async command => {
    const found = await bench.decide(command, rules)
    expect(found).toMatchObject({ decision: 'ask', row: 'never-always' })
  })

  it.each(['git $X', 'git $X origin', 'git pu?h', '"$X" push', 'git {push,pull}'])(
    'asks about %j, which may turn out to be what is denied',
    async command => {
      expect(await bench.decide(command, { allow: ['git *'], deny: ['git push *'] })).toMatchObject({ decision: 'ask' })
    },
  )

  it.each([
    'rmdir x',
    'git rm x',
    'echo rm x',
    "echo 'rm x'",
    'ls rm',
    'git log push',
    'git log -- push',
    'charm x',
    'rm-x y',
  ])('does not take %j for it', async command => {
    expect((await bench.decide(command, rules)).decision).not.toBe('deny')
  })
})

describe('what is handed over as code', () => {
  it.each([
    'sh -c "git log"',
    'bash -c "$X"',
    'git log | sh',
    'git log | bash -s',
    'bash < a.txt',
    'eval git log',
    'source a.txt',
    '. a.txt',
    'python -c "x"',
    "python3.12 -c 'x'",
    'python <<E\nx\nE',
    'git log | python -',
    'node -e x',
    'node -pe x',
    'node --eval=x',
    'perl -ne x',
    'ruby -e x',
    'php -r x',
    "awk '{print}' a.txt",
    'deno eval x',
    'osascript -e x',
    'pwsh -Command x',
    'cmd /c x',
    'xargs git log',
    'find . -exec git log \\;',
    'find . -delete',
    'find . -fprint out',
    'env git log',
    'env A=b git log',
    'command git log',
    'go test -exec git ./...',
    'make SHELL=git test',
    "printf -v 'a[$(git log)]' x",
    "test -v 'a[$(git log)]'",
  ])('asks about %j whatever is allowed, never for good', async command => {
    const allow = [
      'git *',
      'sh *',
      'bash *',
      'python *',
      'node *',
      'xargs *',
      'find *',
      'env *',
      'command *',
      'go *',
      'make *',
      'printf *',
      'test *',
      'eval *',
    ]
    const found = await bench.decide(command, { allow })
    expect(found).toMatchObject({ decision: 'ask' })
    expect(found.always).toBeUndefined()
  })

  it.each([
    'bash a.sh',
    'python a.py',
    'python -m pytest',
    'node a.js',
    'node --test',
    'perl a.pl',
    'bash --version',
    'python -V',
  ])('lets a rule allow %j, which runs a file that is named', async command => {
    const allow = ['bash *', 'python *', 'node *', 'perl *']
    expect(await bench.decide(command, { allow })).toMatchObject({ decision: 'allow' })
  })
})
