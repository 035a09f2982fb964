import { expect, it } from 'vitest'
import { lateModule } from '../../src/registry/index.js'

it('is loaded once, by whoever asks first, and then given at once', async () => {
  const loads: string[] = []
  const late = lateModule(async () => {
    loads.push('load')
    return { name: 'loaded' }
  })
  expect(loads).toEqual([])
  late.warm()
  expect(await late.get()).toEqual({ name: 'loaded' })
  expect(late.get()).toEqual({ name: 'loaded' })
  late.warm()
  expect(loads).toEqual(['load'])
})

it('a load that fails while nobody waits disturbs nobody, and is tried again for who asks', async () => {
  let fails = true
  const late = lateModule(async () => {
    if (fails) throw new Error('no file')
    return { name: 'loaded' }
  })
  late.warm()
  await expect(late.get()).rejects.toThrow('no file')
  fails = false
  expect(await late.get()).toEqual({ name: 'loaded' })
})
