import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { WireChecker } from '../../src/bridge/check/checker.js'
import { cards } from '../support/cards.js'
import { makeDirectory } from '../support/directory.js'
import { expectValidFrames } from '../support/schema.js'
import { runCli } from './run-cli.js'

const env = () => ({ DECKHAND_STATE_DIR: makeDirectory('state') })

describe('deckhand call', () => {
  it('draws the card of a tool and exits with 0 if it succeeded, with 1 if it failed', async () => {
    const cwd = makeDirectory()
    writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\n')
    const call = (name: string, args: object) =>
      runCli(['call', name, JSON.stringify(args), '--cwd', cwd], { env: env() })
    const edit = await call('edit', { path: 'a.txt', old_string: 'two', new_string: 'three' })
    const shell = await call('bash', { command: 'echo out; exit 3' })
    const missing = await call('read', { path: 'none.txt' })
    expect(edit).toMatchObject({ code: 0, stderr: '' })
    expect(edit.stdout).toMatch(/- two[\s\S]*\+ three/)
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('one\nthree\n')
    expect(shell.code).toBe(1)
    expect(shell.stdout).toMatch(/echo out[\s\S]*out[\s\S]*exit 3/)
    expect(missing.code).toBe(1)
    expect(missing.stdout).toMatch(/none\.txt[\s\S]*failed/)
  })

  it('exits with 1 and says what is wrong if a call cannot be made', async () => {
    const wrong: [args: string[], message: RegExp][] = [
      [['call', 'nothing', '{}'], /No tool is named nothing/],
      [['call', 'read', '{'], /not valid JSON/],
      [['call', 'read', '[]'], /must be a JSON object/],
      [['call', 'read', '{"path":5}'], /path: expected/],
      [['call', 'read'], /path: expected|missing required argument/],
      [['call', 'bash', '{"command":"true"}', '--cwd', '/no/such/dir'], /There is no directory \/no\/such\/dir/],
    ]
    for (const [args, message] of wrong) {
      const { code, stdout, stderr } = await runCli(args, { env: env() })
      expect({ args, code }).toEqual({ args, code: 1 })
      expect(stdout + stderr).toMatch(message)
      expect(stdout + stderr).not.toMatch(/\n {4}at /)
    }
  })

  it.each(['plain', 'zed', 'delta'])(
    '--wire prints the frames for the client %s, by the rules and the schema',
    async client => {
      const cwd = makeDirectory()
      writeFileSync(join(cwd, 'a-b.txt'), 'one\ntwo\n')
      const calls: [string, object, number][] = [
        ['bash', { command: 'printf "a\\nb\\n"; exit 2', description: 'Two lines' }, 1],
        ['edit', { path: 'a-b.txt', old_string: 'two', new_string: 'three' }, 0],
        ['write', { path: 'new/c.txt', content: 'x\n' }, 0],
        ['read', { path: 'a-b.txt', offset: 2 }, 0],
        ['grep', { pattern: 'one' }, 0],
        ['todo', { entries: [{ content: 'x', status: 'pending' }] }, 0],
        ['nothing', { any: 'thing' }, 1],
      ]
      for (const [name, args, exitCode] of calls) {
        const words = ['call', name, JSON.stringify(args), '--cwd', cwd, '--wire', '--client', client]
        const { code, stdout } = await runCli(words, { env: env() })
        const frames = stdout
          .trimEnd()
          .split('\n')
          .map(line => ({ dir: 'out' as const, msg: JSON.parse(line) }))
        expect({ name, code }).toEqual({ name, code: exitCode })
        expectValidFrames(frames)
        const checker = new WireChecker()
        expect(frames.flatMap(frame => checker.check(frame))).toEqual([])
        const [card] = cards(frames.map(({ msg }) => msg.params.update))
        expect(card?.fields.status).toBe(code === 0 ? 'completed' : 'failed')
        if (card?.fields.kind === 'execute') expect(card.terminal !== undefined).toBe(client !== 'plain')
      }
    },
  )

  it('refuses a client that it does not know', async () => {
    const { code, stderr } = await runCli(['call', 'glob', '{"pattern":"*"}', '--wire', '--client', 'emacs'], {
      env: env(),
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/plain, zed, delta/)
  })
})
