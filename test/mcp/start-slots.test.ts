import { expect, it } from 'vitest'
import { StartSlots } from '../../src/mcp/start-slots.js'

const never = new AbortController().signal

it('so many have a turn at once, the others in their order; one that is stopped while it waits gets none', async () => {
  const slots = new StartSlots(2, 60_000)
  const begun: string[] = []
  const stop = new AbortController()
  const take = async (name: string, signal = never) => {
    const end = await slots.take(signal)
    if (end) begun.push(name)
    return end
  }
  const [first, second] = await Promise.all([take('first'), take('second')])
  const others = [take('third'), take('stopped', stop.signal), take('fourth')]
  stop.abort()
  expect(await others[1]).toBeUndefined()
  expect(begun).toEqual(['first', 'second'])
  second?.()
  second?.()
  const third = await others[0]
  expect(begun).toEqual(['first', 'second', 'third'])
  first?.()
  await others[2]
  third?.()
  expect(await slots.take(stop.signal)).toBeUndefined()
  await take('last')
  expect(begun).toEqual(['first', 'second', 'third', 'fourth', 'last'])
})

it('a start that hangs gives its turn away after a time, once', async () => {
  const slots = new StartSlots(1, 5)
  const hanging = await slots.take(never)
  const next = await slots.take(never)
  hanging?.()
  let isTaken = false
  const last = slots.take(never).then(end => {
    isTaken = true
    return end
  })
  await Promise.resolve()
  expect(isTaken).toBe(false)
  next?.()
  expect(await last).toBeDefined()
})
