import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bash, startBash } from './bash-support.js'

let bash: Bash

beforeEach(async () => {
  bash = await startBash()
})

afterEach(async () => {
  await bash.close()
})

describe('cards', () => {
  it('show the command as it is, with its description and directory', () => {
    const { tools } = bash.ctx
    const command = 'cat <<EOF\r\n  one\nEOF'
    expect(tools.presentCall('bash', { command })).toEqual({ card: 'terminal', title: command })
    expect(tools.presentCall('bash', { command, description: 'Print one', cwd: 'sub', timeout_ms: 5 })).toEqual({
      card: 'terminal',
      title: command,
      description: 'Print one',
      cwd: 'sub',
    })
  })

  it('show how the command ended, from the facts of its result only (B22)', async () => {
    const { tools } = bash.ctx
    for (const [command, view] of [
      ['echo exit code 9', { card: 'terminal', exitCode: 0 }],
      ['exit 3', { card: 'terminal', exitCode: 3 }],
      ['kill -9 $$', { card: 'terminal', signal: 'SIGKILL' }],
    ] as const) {
      const { result } = await bash.run({ command })
      expect(tools.presentResult('bash', { command }, result)).toEqual(view)
      // As from the log.
      expect(tools.presentResult('bash', { command }, JSON.parse(JSON.stringify(result)))).toEqual(view)
    }
  })

  it('leave a result that is not of a run to the generic card (B22)', async () => {
    const args = { command: 'true', cwd: 'gone' }
    const { result } = await bash.run(args)
    expect(bash.ctx.tools.presentResult('bash', args, result)).toBeUndefined()
  })

  it('declare the command that runs', () => {
    expect(bash.ctx.tools.effects('bash', { command: 'rm x' })).toEqual({ runs: 'rm x' })
  })
})
