import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasErrorCode, text } from '../../src/cards/index.js'
import type { LoggedEvent, SessionEvent } from '../../src/session/events.js'
import { SessionStore } from '../../src/session/index.js'
import { assistantSays, readAll, tempDirectory } from './support.js'

const anyText = fc.string({ unit: 'grapheme' }).map(value => `${value}\0\n\r\n"{"at":1,"`)

/** Events of one call, whose result may be missing. */
const callEvents = fc
  .record({ output: anyText, value: fc.jsonValue(), isDone: fc.boolean(), isEarly: fc.boolean() })
  .map(({ output, value, isDone, isEarly }) => (callId: string): SessionEvent[] => {
    const early: SessionEvent[] = isEarly ? [{ type: 'tool/start', callId, name: 'x', arguments: {} }] : []
    const done: SessionEvent[] = isDone
      ? [{ type: 'tool/result', callId, content: [text(output)], isError: false }]
      : []
    const call = { type: 'tool/call', callId, name: 'x', arguments: JSON.parse(JSON.stringify(value)), origin: 'model' }
    return [...early, call as SessionEvent, { type: 'tool/progress', callId, output }, ...done]
  })

const plainEvents = anyText.map(words => (id: string): SessionEvent[] => [
  { type: 'turn/start', turnId: id },
  { type: 'user/message', messageId: id, content: [text(words)] },
  { type: 'assistant/message', messageId: id, text: words },
  { type: 'session/config', title: words, cwd: '/w' },
])

const anyEvents = fc
  .array(fc.oneof(callEvents, plainEvents), { minLength: 1, maxLength: 6 })
  .map(groups => groups.flatMap((group, index) => group(`g${index}`)))

describe('a log cut at any byte', () => {
  it('reads as a prefix, can be opened and appended to, and then reads whole (B50)', async () => {
    const store = new SessionStore(tempDirectory())
    const id = 's1'
    const path = join(store.directory, `${id}.jsonl`)
    await fc.assert(
      fc.asyncProperty(anyEvents, fc.double({ min: 0, max: 1, noNaN: true }), async (events, share) => {
        rmSync(path, { force: true })
        const log = store.create({ cwd: '/w', roots: ['/w'], id })
        const logged = events.map((event, index) => log.append(event, index))
        await log.close()
        const bytes = readFileSync(path)
        expect((await readAll(path)).events).toEqual(logged)

        writeFileSync(path, bytes.subarray(0, Math.ceil(bytes.length * share)))
        const read: LoggedEvent[] = []
        try {
          const cut = await readAll(path)
          expect(cut.warnings.length).toBeLessThanOrEqual(1)
          read.push(...cut.events)
        } catch (error) {
          // Only a log without one whole record is refused.
          if (!hasErrorCode(error, 'LOG_FAILED')) throw error
          expect(readFileSync(path).includes('\n')).toBe(false)
          return
        }
        expect(read).toEqual(logged.slice(0, read.length))

        const opened = await store.open(id)
        const added = opened.log.append(assistantSays('after'), 99)
        await opened.log.close()
        const after = await readAll(path)
        expect(after.events.slice(0, read.length)).toEqual(read)
        expect([after.events.at(-1), after.closing()]).toEqual([added, []])
      }),
      { numRuns: 100 },
    )
  })
})
