import { RequestError } from '@agentclientprotocol/sdk'
import { describe, expect, it } from 'vitest'
import { ClientFiles, type ClientFilesLimits } from '../../src/bridge/client-files.js'

type Answer = (method: string, params: unknown) => unknown

/** The files of a client that answers as told. */
function clientFiles(answer: Answer, limits: Partial<ClientFilesLimits> = {}) {
  const sent: unknown[] = []
  const request = async (method: string, params: unknown) => {
    sent.push([method, params])
    return answer(method, params)
  }
  const short = { readMs: 30, writeMs: 30, silentMs: 5, cancelledMs: 10, ...limits }
  return { files: new ClientFiles({ request: request as never }, 's1', short), sent }
}

const never = () => new Promise(() => {})

describe('a request to the client', () => {
  it('names the session and the path', async () => {
    const { files, sent } = clientFiles(() => ({ content: 'text' }))
    expect(await files.read('/w/a')).toBe('text')
    expect(await files.write('/w/a', 'new')).toBe(true)
    expect(sent).toEqual([
      ['fs/read_text_file', { sessionId: 's1', path: '/w/a' }],
      ['fs/write_text_file', { sessionId: 's1', path: '/w/a', content: 'new' }],
    ])
  })

  it.each([
    ['a file', RequestError.resourceNotFound('/w/a')],
    ['the method', RequestError.methodNotFound('fs/read_text_file')],
  ])('for %s that the client does not know is no failure', async (_what, error) => {
    const { files } = clientFiles(() => Promise.reject(error))
    expect(await files.read('/w/a')).toBeUndefined()
    expect(await files.write('/w/a', '')).toBe(false)
  })

  it.each([
    [
      'an error',
      () => Promise.reject(RequestError.internalError('no\nluck')),
      /could not read \/w\/a: Internal error: no⏎luck$/,
    ],
    ['the end of the connection', () => Promise.reject(new Error('closed')), /the connection has ended/],
    ['something that is no text', () => ({ content: 7 }), /did not answer with the text/],
    ['nothing', () => null, /did not answer with the text/],
    ['no answer at all', never, /within 0\.03 s\. If it never answers, set clientFiles: false/],
  ] satisfies [string, Answer, RegExp][])('that gets %s fails with EDITOR_FAILED', async (_what, answer, message) => {
    const { files } = clientFiles(answer)
    await expect(files.read('/w/a')).rejects.toMatchObject({ code: 'EDITOR_FAILED', message })
  })

  it('to a client that did not answer the last one waits less, until it answers anything', async () => {
    let reply = (_answer: { content: string }) => {}
    const { files } = clientFiles(() => new Promise(resolve => (reply = resolve)))
    await expect(files.read('/w/a')).rejects.toThrow('within 0.03 s')
    const late = reply
    await expect(files.read('/w/a')).rejects.toThrow('within 0.005 s')
    late({ content: 'late' })
    await new Promise(resolve => setImmediate(resolve))
    await expect(files.read('/w/a')).rejects.toThrow('within 0.03 s')
  })

  it('is not sent after a cancel, and its wait ends with one', async () => {
    const { files, sent } = clientFiles(never, { readMs: 60_000, writeMs: 60_000 })
    await expect(files.read('/w/a', AbortSignal.abort())).rejects.toMatchObject({ code: 'ABORTED' })
    expect(sent).toEqual([])
    const stop = new AbortController()
    const both = [files.read('/w/a', stop.signal), files.write('/w/a', '', stop.signal)]
    const ended = Promise.allSettled(both)
    stop.abort()
    for (const one of await ended) expect(one).toMatchObject({ status: 'rejected', reason: { code: 'ABORTED' } })
  })

  it('of a write that is under way is waited for a moment after a cancel', async () => {
    const stop = new AbortController()
    const answer = () => {
      stop.abort()
      return new Promise(resolve => setImmediate(resolve, {}))
    }
    const { files } = clientFiles(answer, { cancelledMs: 60_000 })
    expect(await files.write('/w/a', '', stop.signal)).toBe(true)
  })

  it('is not for a text over the size of a message, as it is serialized', () => {
    const { files } = clientFiles(never)
    expect(files.carries('a'.repeat(1_000_000))).toBe(true)
    expect(files.carries('a'.repeat(1_100_000))).toBe(false)
    expect(files.carries('\u001b'.repeat(200_000))).toBe(false)
  })
})
