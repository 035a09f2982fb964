import { describe, expect, it } from 'vitest'
import { readConfigText } from '../../src/config/read-config-text.js'

const read = (settings: string) => readConfigText(`mcpServers:\n  one: ${settings}\n`)

describe('mcpServers', () => {
  it('takes a program or an address, in the shape that other agents use', () => {
    const local = read('{ command: npx, args: ["-y", x], env: { A: b }, cwd: /tmp, trusted: true, timeoutMs: 5000 }')
    expect(local.problems).toEqual([])
    expect(local.config.mcpServers.one).toMatchObject({
      command: 'npx',
      args: ['-y', 'x'],
      env: { A: 'b' },
      trusted: true,
    })
    const remote = read('{ url: "https://x.example/mcp", headers: { Authorization: a } }')
    expect(remote.problems).toEqual([])
    expect(remote.config.mcpServers.one).toMatchObject({
      url: 'https://x.example/mcp',
      trusted: false,
      disabled: false,
    })
    expect(read('{ type: sse, url: "http://localhost:1/" }').problems).toEqual([])
    expect(read('{ type: stdio, command: x }').problems).toEqual([])
  })

  it.each([
    ['neither', '{ args: [] }', /either a command or a url/],
    ['both', '{ command: x, url: "http://x/" }', /either a command or a url/],
    ['another kind of address', '{ url: "ftp://x/" }', /http or https address/],
    ['a type that does not fit', '{ url: "http://x/", type: stdio }', /type http or sse/],
    [
      'a key that is no setting',
      '{ command: x, environment: {} }',
      /environment is no setting; known here: command, args, env/,
    ],
  ])('with %s is told, and only that server is lost', (_what, settings, words) => {
    const { config, problems } = readConfigText(
      `mcpServers:\n  one: ${settings}\n  two: { command: y, trusted: true }\n`,
    )
    expect(problems.map(({ text }) => text).join('\n')).toMatch(words)
    // A faulty file loosens nothing.
    expect(config.mcpServers.two).toMatchObject({ command: 'y', trusted: false })
  })
})
