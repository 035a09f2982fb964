import { describe, expect, it } from 'vitest'
import { defaultConfig, describeProblem } from '../../src/config/index.js'
import { readConfigText } from '../../src/config/read-config-text.js'

describe('a problem in the config', () => {
  it.each([
    [
      'permissions:\n  mode: yolo',
      2,
      'permissions.mode: expected one of ask, accept-edits, plan, full-access, got "yolo"',
    ],
    ['permissions:\n  comands: {}', 2, 'permissions.comands is no setting; did you mean commands?'],
    ['permissions: {user_command: ask}', 1, 'permissions.user_command is no setting; did you mean userCommands?'],
    ['clientFile: true', 1, 'clientFile is no setting; did you mean clientFiles?'],
    ['zzzzzzzz: 1', 1, /zzzzzzzz is no setting; known here: permissions, shell, /],
    ['clientFiles: yes please', 1, 'clientFiles: expected true or false, got "yes please"'],
    ['shell:\n  login: 1', 2, 'shell.login: expected true or false, got 1'],
    ['shell: bash', 1, 'shell: expected settings (key: value), got "bash"'],
    ['shell: {path: ""}', 1, 'shell.path: expected some text, got ""'],
    ['sandbox:\n  write: /tmp', 2, 'sandbox.write: expected a list, got "/tmp"'],
    ['sandbox: {mode: on}', 1, 'sandbox.mode: expected one of off, auto, required, got "on"'],
    ['hooks: {event: before}', 1, 'hooks: expected a list, got settings (key: value)'],
    ['hooks:\n  - command: x', 2, 'hooks[1].event: expected one of before, after, got nothing'],
    ['hooks:\n  - event: after\n    command: x\n    timeoutMs: 0', 4, 'hooks[1].timeoutMs: expected at least 1, got 0'],
    ['hooks:\n  - event: after\n    comand: x', 3, 'hooks[1].comand is no setting; did you mean command?'],
    ['timeouts: {callMs: 1.5}', 1, /timeouts\.callMs: expected a whole number, got 1\.5/],
    ['checkpoints: {maxBytes: many}', 1, 'checkpoints.maxBytes: expected a number, got "many"'],
    ['permissions:\n  commands:\n    allow: [""]', 3, 'permissions.commands.allow[1]: expected some text, got ""'],
    ['permissions: {commands: {deny: ["*"]}}', 1, /deny\[1\]: expected a command before the \*/],
    ['permissions: {commands: {allow: ["git * log"]}}', 1, /expected \* only as the last word/],
    ['permissions: {commands: {allow: ["npm test:*"]}}', 1, /expected \* only as the last word/],
    ['permissions: {commands: {allow: ["a && b"]}}', 1, /expected one command/],
    ['permissions: {commands: {allow: ["a;b"]}}', 1, /expected one command/],
    [`permissions: {commands: {allow: ["a 'b"]}}`, 1, /expected words with closed quotes/],
    ['- a\n- b', undefined, 'the file: expected settings (key: value), got a list'],
    ['a: [1\nb: 2', 2, /^no valid YAML: /],
    ['clientFiles: true\nclientFiles: false', 2, /^no valid YAML: /],
    ['a: *b', undefined, /^no valid YAML: /],
    ['a: !!js/function x', 1, /^no valid YAML: /],
  ])('of %j is on line %s: %s', (text, line, words) => {
    const { config, problems } = readConfigText(text)
    const matches = words instanceof RegExp ? expect.stringMatching(words) : words
    expect(problems).toContainEqual(line === undefined ? { text: matches } : { line, text: matches })
    expect(config.strict).toBe(true)
  })

  it('is shown with its file and line', () => {
    expect(describeProblem('/c.yml', { line: 2, text: 'x' })).toBe('/c.yml:2: x')
    expect(describeProblem('/c.yml', { text: 'x' })).toBe('/c.yml: x')
  })

  it('stands beside all others, in the order of the lines', () => {
    const { problems } = readConfigText(
      'clientFile: 1\npermissions:\n  mode: x\n  commands:\n    deny: [5, "a b"]\nshel: {}\n',
    )
    expect(problems.map(({ line }) => line)).toEqual([1, 3, 5, 6])
  })

  it('of a hostile file is bounded: aliases that grow, nesting, thousands of faults', () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh'].map((name, index) => `${name}: &${name} [${`*${'abcdefg'[index]},`.repeat(9)}]`).join('\n')}`
    expect(readConfigText(bomb)).toMatchObject({
      config: { strict: true },
      problems: expect.arrayContaining([expect.anything()]),
    })
    const many = readConfigText(`hooks:\n${'  - {event: x}\n'.repeat(3000)}`)
    expect(many.problems.length).toBeLessThanOrEqual(50)
    expect(many.config).toMatchObject({ strict: true, hooks: [] })
    expect(readConfigText(`${'['.repeat(20_000)}`).config.strict).toBe(true)
  })
})

describe('a faulty config', () => {
  const faulty = readConfigText(`
permissions:
  mode: full-access
  userCommands: allow
  commands: {allow: ["git *"], ask: ["git push *"], deny: ["rm *", 5]}
  write: {allow: ["**"], deny: [".env*"]}
  tools: {allow: ["*"]}
hooks:
  - {event: before, command: check}
  - {event: befor, command: other}
sandbox: {mode: required, network: true, write: [/], read: [/]}
`).config

  it('keeps deny rules, ask rules and hooks that could be read', () => {
    expect(faulty.permissions.commands).toEqual({ allow: [], ask: ['git push *'], deny: ['rm *'] })
    expect(faulty.permissions.write.deny).toEqual(['.env*'])
    expect(faulty.hooks).toMatchObject([{ event: 'before', command: 'check' }])
  })

  it('loosens nothing', () => {
    expect(faulty).toMatchObject({
      strict: true,
      permissions: { mode: 'ask', userCommands: 'ask', write: { allow: [] }, tools: { allow: [] } },
      sandbox: { mode: 'required', network: false, write: [], read: [] },
    })
  })

  it('keeps what is stricter than asking: plan mode, and no commands of the user', () => {
    const { config } = readConfigText('permissions: {mode: plan, userCommands: off}\nx: 1')
    expect(config.permissions).toMatchObject({ mode: 'plan', userCommands: 'off' })
  })

  it('without a readable mode of the sandbox has one where it works', () => {
    expect(readConfigText('sandbox: {mode: requird}').config.sandbox.mode).toBe('auto')
    expect(readConfigText('sandbox: required').config.sandbox.mode).toBe('auto')
    expect(readConfigText('a: [').config.sandbox.mode).toBe('auto')
    expect(readConfigText('shell: 1').config.sandbox.mode).toBe('off')
  })

  it('of nothing but a slip is otherwise as the defaults', () => {
    const { config } = readConfigText('clientFile: false')
    expect({ ...config, strict: false, permissions: undefined }).toEqual({ ...defaultConfig(), permissions: undefined })
  })
})
