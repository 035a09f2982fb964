import { expect, it } from 'vitest'
import { finish, openModelBench, says, startModelRegistry } from './support.js'

it('a section that a plugin adds or takes away later is in the next request, or no more', async () => {
  const ctx = await startModelRegistry()
  ctx.systemPrompt.section('first', 1, () => 'First.')
  const answer = [says('ok'), finish()]
  const bench = await openModelBench([answer, answer, answer, answer], { ctx })
  await bench.prompt('one')
  await bench.prompt('two')
  const remove = ctx.systemPrompt.section('second', 2, () => 'Second.')
  await bench.prompt('three')
  remove()
  await bench.prompt('four')
  expect(bench.requests.map(({ system }) => system)).toEqual(['First.', 'First.', 'First.\n\nSecond.', 'First.'])
})
