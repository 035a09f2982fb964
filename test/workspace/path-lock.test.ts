import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { lockedPaths, withPathLock } from '../../src/workspace/path-lock.js'

describe('withPathLock', () => {
  it('lets the callers of one path in one after another, in order, and others meanwhile (B15)', async () => {
    const order: string[] = []
    const step = (path: string, name: string) =>
      withPathLock(path, async () => {
        order.push(`${name} in`)
        await nextTurn()
        order.push(`${name} out`)
      })
    await Promise.all([step('/a', '1'), step('/a', '2'), step('/b', 'other'), step('/a', '3')])
    expect(order.filter(entry => !entry.startsWith('other'))).toEqual([
      '1 in',
      '1 out',
      '2 in',
      '2 out',
      '3 in',
      '3 out',
    ])
    expect(order.indexOf('other in')).toBeLessThan(order.indexOf('1 out'))
  })

  it('hands on after a failure, and holds nothing in the end', async () => {
    const failing = withPathLock('/a', async () => {
      throw new Error('no')
    })
    const next = withPathLock('/a', async () => 'fine')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('fine')
    await nextTurn()
    expect(lockedPaths()).toBe(0)
  })

  it('ends the wait of an aborted caller at once, and never runs its body; the order of the others stays', async () => {
    let open = () => {}
    const gate = new Promise<void>(resolve => {
      open = resolve
    })
    const order: string[] = []
    const first = withPathLock('/a', () => gate)
    const abort = new AbortController()
    const aborted = withPathLock('/a', async () => order.push('aborted'), abort.signal)
    const third = withPathLock('/a', async () => order.push('third'))
    abort.abort()
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' })
    await nextTurn()
    expect(order).toEqual([])
    open()
    await Promise.all([first, third])
    expect(order).toEqual(['third'])
    await nextTurn()
    expect(lockedPaths()).toBe(0)
  })
})
