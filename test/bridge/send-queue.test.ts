import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { describe, expect, it } from 'vitest'
import { SendQueue } from '../../src/bridge/send/send-queue.js'

const output = (callId: string, data: string): SessionUpdate => ({
  sessionUpdate: 'tool_call_update',
  toolCallId: callId,
  status: 'in_progress',
  _meta: { terminal_output: { terminal_id: callId, data } },
})
const content = (callId: string, text: string): SessionUpdate => ({
  sessionUpdate: 'tool_call_update',
  toolCallId: callId,
  status: 'in_progress',
  content: [{ type: 'content', content: { type: 'text', text } }],
})
const message = (text: string): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
})

/** A client that reads one update at each call of `read`. */
function slowClient() {
  const sent: SessionUpdate[] = []
  const reads: (() => void)[] = []
  const queue = new SendQueue({
    send: update =>
      new Promise<void>(resolve => {
        reads.push(() => {
          sent.push(update)
          resolve()
        })
      }),
  })
  const readAll = async () => {
    const done = queue.flush()
    let isDone = false
    void done.then(() => {
      isDone = true
    })
    while (!isDone) {
      reads.shift()?.()
      await Promise.resolve()
    }
  }
  return { queue, sent, readAll }
}

async function isPending(promise: Promise<void>): Promise<boolean> {
  const pending = Symbol('pending')
  await Promise.resolve()
  return (await Promise.race([promise, Promise.resolve(pending)])) === pending
}

describe('a send queue', () => {
  it('keeps the order and sends one at a time', async () => {
    const sent: string[] = []
    let running = 0
    const queue = new SendQueue({
      send: async update => {
        expect(++running).toBe(1)
        await new Promise(resolve => setImmediate(resolve))
        sent.push(
          update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : '',
        )
        running--
      },
    })
    for (const text of ['a', 'b', 'c']) void queue.push(message(text))
    await queue.flush()
    expect(sent).toEqual(['a', 'b', 'c'])
  })

  it('joins terminal output of a call that waits, also when another call stands between', async () => {
    const { queue, sent, readAll } = slowClient()
    for (const [callId, data] of [
      ['a', '1'],
      ['b', '2'],
      ['a', '3'],
      ['b', '4'],
    ] as const)
      void queue.push(output(callId, data))
    await readAll()
    expect(sent).toEqual([output('a', '13'), output('b', '24')])
  })

  it('sends only the last of the whole contents that wait for a call', async () => {
    const { queue, sent, readAll } = slowClient()
    for (const text of ['1', '2', '3']) void queue.push(content('a', text))
    await readAll()
    expect(sent).toEqual([content('a', '3')])
  })

  it('joins nothing across another update of the same call, nor past a usual size', async () => {
    const { queue, sent, readAll } = slowClient()
    const updates = [output('a', '1'), content('a', '2'), output('a', '3'), output('a', '\u001b'.repeat(6000))]
    for (const update of updates) void queue.push(update)
    await readAll()
    expect(sent).toEqual(updates)
  })

  it('holds its producers back while a client does not read, and lets them go when it does', async () => {
    const { queue, readAll } = slowClient()
    expect(await isPending(queue.push(message('x')))).toBe(false)
    const held = queue.push(message('x'.repeat(1024 * 1024 + 1)))
    expect(await isPending(held)).toBe(true)
    await readAll()
    await held
  })

  it('holds back output that cannot join any more, too', async () => {
    const { queue, readAll } = slowClient()
    const pushes = Array.from({ length: 40 }, () => queue.push(output('a', 'x'.repeat(30_000))))
    expect(await isPending(pushes.at(-1)!)).toBe(true)
    await readAll()
    await Promise.all(pushes)
  })

  it('holds back by count as well, and close lets everybody go', async () => {
    const { queue } = slowClient()
    const pushes = Array.from({ length: 300 }, (_, index) => queue.push(message(String(index))))
    expect(await isPending(pushes.at(-1)!)).toBe(true)
    queue.close()
    await Promise.all(pushes)
    await queue.push(message('late'))
    await queue.flush()
  })

  it('contains a send that fails: it is reported once, and what follows is dropped', async () => {
    const errors: unknown[] = []
    let sends = 0
    const queue = new SendQueue({
      send: async () => {
        sends++
        throw new Error('EPIPE')
      },
      onError: error => errors.push(error),
    })
    await Promise.all([queue.push(message('a')), queue.push(message('b'))])
    await queue.flush()
    await queue.push(message('c'))
    await queue.flush()
    expect(sends).toBe(1)
    expect(errors).toEqual([new Error('EPIPE')])
  })
})
