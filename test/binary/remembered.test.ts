import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { RememberedAnswers } from '../../src/gates/permission/index.js'
import { deckhand, makeDirectory } from './support.js'

it('remembered answers are not lost when several processes change them at once', async () => {
  const stateDir = makeDirectory('state')
  const store = new RememberedAnswers(stateDir)
  const add = (name: string) => store.add('/project', { type: 'tool', name })
  const old = await Promise.all(Array.from({ length: 30 }, (_, index) => add(`old-${index}`)))
  const ids = old.map(({ id }) => id)
  const remove = (some: string[]) =>
    deckhand(['permissions', 'remove', ...some], { env: { DECKHAND_STATE_DIR: stateDir } })
  let isOver = false
  const removed = Promise.all([remove(ids.slice(0, 15)), remove(ids.slice(15))]).finally(() => {
    isOver = true
  })
  const names: string[] = []
  while (!isOver) {
    const name = `new-${names.length}`
    names.push(name)
    await add(name)
    await new Promise(resolve => setTimeout(resolve, 1))
  }
  expect((await removed).map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ])
  expect((await store.list()).map(({ answer }) => answer)).toEqual(names.map(name => ({ type: 'tool', name })))
  expect(await readdir(stateDir)).toEqual(['permissions.json'])
})
