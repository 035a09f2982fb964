import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { ask, readLine, type Terminal } from '../../src/cli/ask.js'

/** A terminal that types these chunks and remembers what it was told. */
class TypedTerminal extends EventEmitter {
  shown = ''
  readonly modes: boolean[] = []
  readonly output = {
    write: (text: string | Uint8Array) => {
      this.shown += text
      return true
    },
  }

  setRawMode(mode: boolean): this {
    this.modes.push(mode)
    return this
  }
  resume(): this {
    return this
  }
  pause(): this {
    return this
  }
}

async function type(chunks: string[], echo: boolean) {
  const terminal = new TypedTerminal()
  const answer = ask('Key: ', { input: terminal as unknown as Terminal['input'], output: terminal.output }, { echo })
  for (const chunk of chunks) terminal.emit('data', Buffer.from(chunk))
  return { answer: await answer, terminal }
}

it('a key that is typed or pasted is not shown, and the terminal is as before', async () => {
  const { answer, terminal } = await type(['sk-', '12', '\x7f3', '\r'], false)
  expect(answer).toBe('sk-13')
  expect(terminal.shown).toBe('Key: \n')
  expect(terminal.modes).toEqual([true, false])
  expect(terminal.listenerCount('data')).toBe(0)
})

it('other questions show what is typed', async () => {
  const { answer, terminal } = await type(['opx\x7f', 'en', '\n'], true)
  expect(answer).toBe('open')
  expect(terminal.shown).toBe('Key: opx\b \ben\n')
})

it('arrows and the marks of a paste are no part of the answer, Ctrl-U begins again', async () => {
  expect((await type(['wrong\x15', '\x1b[200~sk-1\x1b[201~', '\x1b[D', '\r'], false)).answer).toBe('sk-1')
})

it.each(['\x03', '\x04', '\x1b'])('%j gives up', async key => {
  expect((await type(['sk-1', key], false)).answer).toBeUndefined()
})

it('a terminal that is closed gives up', async () => {
  const terminal = new TypedTerminal()
  const answer = ask(
    'Key: ',
    { input: terminal as unknown as Terminal['input'], output: terminal.output },
    { echo: false },
  )
  terminal.emit('end')
  expect(await answer).toBeUndefined()
})

it('of a pipe the first line counts', async () => {
  expect(await readLine(Readable.from(['sk', '-1\r\nmore']))).toBe('sk-1')
  expect(await readLine(Readable.from(['sk-2']))).toBe('sk-2')
  expect(await readLine(Readable.from([]))).toBe('')
})
