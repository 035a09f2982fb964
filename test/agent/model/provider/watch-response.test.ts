import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ResponseWatch, watchedFetch, watchRequest } from '../../../../src/agent/model/provider/watch-response.js'

const access = { name: 'local', baseUrl: 'http://127.0.0.1:9/v1', firstByteMs: 1000, idleMs: 200 }

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function start() {
  const stops: string[] = []
  const watch = new ResponseWatch(access, ({ message }) => stops.push(message))
  let body: ReadableStreamDefaultController<Uint8Array> | undefined
  const stream = new ReadableStream<Uint8Array>({
    start: controller => {
      body = controller
    },
  })
  const answer = new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
  const { signal } = new AbortController()
  watchRequest(signal, watch)
  const fetch = watchedFetch(async () => answer, access as unknown as Parameters<typeof watchedFetch>[1])
  const request = () => fetch(access.baseUrl, { signal })
  return { stops, watch, request, send: (text: string) => body?.enqueue(new TextEncoder().encode(text)) }
}

it('comments keep the line open as any byte does; silence after them ends the request', async () => {
  const { stops, request, send } = start()
  const reader = (await request()).body?.getReader()
  for (let count = 0; count < 5; count++) {
    vi.advanceTimersByTime(150)
    send(': keep-alive\n\n')
    await reader?.read()
  }
  vi.advanceTimersByTime(199)
  expect(stops).toEqual([])
  vi.advanceTimersByTime(1)
  expect(stops).toEqual([expect.stringMatching(/nothing came for 200 ms.*providers\.local\.idleSeconds/)])
})

it('the first byte has a limit of its own', async () => {
  const { stops, request, send } = start()
  const reader = (await request()).body?.getReader()
  vi.advanceTimersByTime(999)
  expect(stops).toEqual([])
  send('data: x\n\n')
  await reader?.read()
  vi.advanceTimersByTime(199)
  expect(stops).toEqual([])
})

it('nothing stops a request that has ended', async () => {
  const { stops, watch, request } = start()
  await request()
  watch.end()
  vi.advanceTimersByTime(10_000)
  expect(stops).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})
