import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ApprovalAnswer } from '../../../src/registry/index.js'
import { type Cell, elsewhere, hasBubblewrap, openCell, openFolder } from './support.js'

/** A command that the sandbox makes fail, and what it makes if it runs without. */
async function openBlocked(
  answer?: () => ApprovalAnswer,
): Promise<{ cell: Cell; command: string; made: () => boolean }> {
  const outside = openFolder(elsewhere)
  const cell = await openCell(answer ? { answer } : {})
  return { cell, command: `touch ${outside}/a`, made: () => existsSync(join(outside, 'a')) }
}

describe.runIf(hasBubblewrap)('a command that failed in the sandbox', () => {
  test('says that this may be the reason, to the model, in the terminal and in meta', async () => {
    const { cell, command } = await openBlocked(() => 'allow_once')
    const run = await cell.run(command)
    expect(run.meta).toMatchObject({ exitCode: 1, sandbox: { obstacles: ['read-only'] } })
    for (const words of [run.text, run.terminal]) {
      expect(words).toContain('[sandbox: this may have failed because commands run in a sandbox')
      expect(words).toContain('call the tool again with exactly this command')
    }
    expect(cell.questions).toEqual([])
  })

  test('is asked about when it comes again, and runs without once it is allowed', async () => {
    const { cell, command, made } = await openBlocked(() => 'allow_once')
    await cell.run(command)
    expect(await cell.run(command)).toMatchObject({ isError: false })
    expect(made()).toBe(true)
    expect(cell.questions).toHaveLength(1)
    expect(cell.questions[0]?.always).toContain('exactly this command')
    await cell.run('touch /etc/deckhand-test')
    await cell.run(command)
    expect(cell.questions).toHaveLength(1)
  })

  test('runs without from then on after an always-answer, in this session only', async () => {
    const { cell, command } = await openBlocked(() => 'allow_always')
    await cell.run(command)
    await cell.run(command)
    expect((await cell.run(command)).isError).toBe(false)
    expect(cell.questions).toHaveLength(1)
    expect((await cell.run(command, { agent: { ...cell.agent, sessionId: 's2' } })).isError).toBe(true)
  })

  test.each(['reject_once', 'reject_always', 'cancelled'] as const)('is not run after %s', async answer => {
    const { cell, command, made } = await openBlocked(() => answer)
    await cell.run(command)
    const run = await cell.run(command)
    expect(run.started).toBe(false)
    expect(run.error?.code).toBe(answer === 'cancelled' ? 'ABORTED_BEFORE_DISPATCH' : 'REFUSED')
    expect(made()).toBe(false)
    if (answer !== 'reject_always') return
    expect((await cell.run(command)).text).not.toContain('call the tool again')
    await cell.run(command)
    expect(cell.questions).toHaveLength(1)
  })

  test('is not offered to run without where nobody can be asked', async () => {
    const { cell, command } = await openBlocked()
    expect((await cell.run(command)).text).not.toContain('call the tool again')
    expect((await cell.run(command)).isError).toBe(true)
  })

  test('lets another gate know that this one asks', async () => {
    const { cell, command } = await openBlocked(() => 'reject_once')
    const asks: boolean[] = []
    cell.ctx.on(
      'tools/execute',
      (exec, next) => {
        asks.push(cell.ctx.sandbox.asks(exec))
        return next()
      },
      { prepend: true },
    )
    await cell.run(command)
    await cell.run(command)
    expect(asks).toEqual([false, true])
    expect(cell.questions).toHaveLength(1)
  })

  test('by itself says nothing of the sandbox', async () => {
    const cell = await openCell({ answer: () => 'allow_once' })
    const run = await cell.run('echo "expected 1, got 2"; exit 1')
    expect(run.text).toBe('expected 1, got 2\n[exit code 1]')
    expect(run.meta).not.toHaveProperty('sandbox')
    expect((await cell.run('echo "Read-only file system"')).text).toBe('Read-only file system\n')
  })
})
