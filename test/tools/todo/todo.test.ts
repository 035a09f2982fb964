import { expect, test } from 'vitest'
import * as todo from '../../../src/tools/todo/index.js'
import { openWorkbench } from '../../support/workbench.js'

const entries = [
  { content: 'Read', status: 'completed', priority: 'high' },
  { content: ' Write ', status: 'in_progress' },
  { content: 'Test', status: 'pending', priority: null },
]

test('the result carries the whole plan, priority medium unless given', async () => {
  const bench = await openWorkbench(todo)
  const { meta, text } = await bench.call('todo', { entries })
  expect(meta).toEqual({
    plan: [
      { content: 'Read', status: 'completed', priority: 'high' },
      { content: 'Write', status: 'in_progress', priority: 'medium' },
      { content: 'Test', status: 'pending', priority: 'medium' },
    ],
  })
  expect(text).toBe('Plan: 1 of 3 done; in progress: Write.')
})

test('the card is a thought that tells the progress from the arguments alone', async () => {
  const bench = await openWorkbench(todo)
  const { callCard } = await bench.call('todo', { entries })
  expect(callCard).toEqual({ card: 'generic', kind: 'think', title: 'Plan: 1 of 3 done' })
})

test('an empty list clears the plan', async () => {
  const bench = await openWorkbench(todo)
  const { meta, callCard, isError } = await bench.call('todo', { entries: [] })
  expect(isError).toBe(false)
  expect(meta).toEqual({ plan: [] })
  expect(callCard).toMatchObject({ title: 'Plan: empty' })
})

test('a wrong status, an empty or endless entry and too many entries are INVALID_ARGS', async () => {
  const bench = await openWorkbench(todo)
  const one = { content: 'x', status: 'pending' }
  for (const bad of [
    [{ ...one, status: 'done' }],
    [{ ...one, content: ' ' }],
    [{ ...one, content: 'x'.repeat(1001) }],
    Array.from({ length: 101 }, () => one),
    'x',
  ]) {
    expect((await bench.call('todo', { entries: bad })).code).toBe('INVALID_ARGS')
  }
})

test('it touches no file, host or process', async () => {
  const bench = await openWorkbench(todo)
  expect(bench.ctx.tools.get('todo')?.effects?.({ entries: [] })).toEqual({})
})
