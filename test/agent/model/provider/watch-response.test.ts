import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ResponseWatch, watchedFetch, watchRequest } from '../../../../src/agent/model/provider/watch-response.js'

const access = { name: 'local', baseUrl: 'http://127.0.0.1:9/v1', firstByteMs: 1000, idleMs: 200 }

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function start() {
  const stops: string[] = []
  const watch = new ResponseWatch(access, ({ message }) => stops.push(message))
  let arrived: ((bytes: number) => void) | undefined
  const { signal } = new AbortController()
  watchRequest(signal, watch)
  const fetch = watchedFetch(
    async (_input, init) => {
      arrived = init?.onBytes
      return new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })
    },
    access as unknown as Parameters<typeof watchedFetch>[1],
  )
  return { stops, watch, request: () => fetch(access.baseUrl, { signal }), arrive: (bytes: number) => arrived?.(bytes) }
}

it('comments keep the line open as any byte does; silence after them ends the request', async () => {
  const { stops, request, arrive } = start()
  await request()
  for (let count = 0; count < 5; count++) {
    vi.advanceTimersByTime(150)
    arrive(1)
  }
  vi.advanceTimersByTime(199)
  expect(stops).toEqual([])
  vi.advanceTimersByTime(1)
  expect(stops).toEqual([expect.stringMatching(/nothing came for 200 ms.*providers\.local\.idleSeconds/)])
})

it('the first byte has a limit of its own', async () => {
  const { stops, request, arrive } = start()
  await request()
  vi.advanceTimersByTime(999)
  expect(stops).toEqual([])
  arrive(1)
  vi.advanceTimersByTime(199)
  expect(stops).toEqual([])
})

it('nothing stops a request that has ended', async () => {
  const { stops, watch, request, arrive } = start()
  await request()
  arrive(1)
  watch.end()
  arrive(1)
  vi.advanceTimersByTime(10_000)
  expect(stops).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})

it('an answer that is too large ends with an error that says so', async () => {
  const { request, arrive } = start()
  await request()
  arrive(128 * 2 ** 20)
  expect(() => arrive(1)).toThrow('The answer of local is larger than 134217728 bytes.')
})
