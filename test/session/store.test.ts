import { appendFileSync, existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { LoggedEvent } from '../../src/session/events.js'
import { isSessionId, SessionStore } from '../../src/session/index.js'
import { failureOf, outline, readAll, storeWith, tempDirectory, toolCall, turnStart } from './support.js'

const place = { cwd: '/w', roots: ['/w'] }
const hour = 60 * 60 * 1000

async function addSession(store: SessionStore, id: string): Promise<string> {
  const log = store.create({ ...place, id })
  log.append(turnStart)
  await log.close()
  return log.path
}

describe('session ids', () => {
  const bad = ['', '.', '..', '../x', 'a/b', 'a\\b', 'a\0b', 'a.b', 'A', 'con', 'nul', 'com1', '-a', 'a-', 'a\n', 'é']

  it('are refused on every entry if they are no plain file name', async () => {
    const store = storeWith('good')
    writeFileSync(join(store.directory, '..', 'x.jsonl'), readFileSync(join(store.directory, 'good.jsonl')))
    for (const id of [...bad, 'a'.repeat(65), 'x'.repeat(100_000)]) {
      expect(isSessionId(id)).toBe(false)
      for (const use of [() => store.open(id), () => store.read(id), () => store.create({ ...place, id })]) {
        expect((await failureOf(use)).code).toBe('SESSION_NOT_FOUND')
      }
      await store.delete(id)
    }
    expect(existsSync(join(store.directory, '..', 'x.jsonl'))).toBe(true)
    expect(isSessionId(undefined)).toBe(false)
    expect(isSessionId('a'.repeat(64))).toBe(true)
  })

  it('are UUIDs when the store makes them', () => {
    const { header } = storeWith().create({ cwd: '/w', roots: ['/x', '/w'] })
    expect(header.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(isSessionId(header.id)).toBe(true)
    expect(header.roots).toEqual(['/w', '/x'])
  })
})

describe('SessionStore.open', () => {
  it('hands over the events, closes what a crash left open at its own time, and finds nothing the next time', async () => {
    const store = storeWith('open-call')
    const batches: LoggedEvent[][] = []
    const { log } = await store.open('open-call', (events, header) => {
      expect(header.id).toBe('open-call')
      batches.push(events)
    })
    await log.close()
    expect(outline(batches.at(-1) ?? [])).toEqual(['tool/result c1', 'tool/result c2', 'turn/end'])
    const lastMs = batches.at(-2)?.at(-1)?.at
    expect(new Set(batches.at(-1)?.map(event => event.at))).toEqual(new Set([lastMs]))

    const before = readFileSync(log.path)
    const again: LoggedEvent[] = []
    const reopened = await store.open('open-call', events => {
      again.push(...events)
    })
    await reopened.log.close()
    expect(again).toEqual(batches.flat())
    expect(readFileSync(log.path)).toEqual(before)
  })

  it('waits for its receiver, and gives the session free if that throws', async () => {
    const store = storeWith('good')
    const failing = store.open('good', async () => {
      await Promise.resolve()
      throw new Error('the editor is gone')
    })
    await expect(failing).rejects.toThrow('the editor is gone')
    await (await store.open('good')).log.close()
  })

  it('goes on with a session whose working directory was lost', async () => {
    const store = storeWith('no-header')
    const { log, warnings } = await store.open('no-header', undefined, { fallbackCwd: '/w/asked' })
    expect([log.header.cwd, warnings.length]).toEqual(['/w/asked', 1])
    await log.close()
  })

  it('gives free what it cannot open', async () => {
    const store = storeWith('version-2')
    for (let n = 0; n < 2; n++) expect((await failureOf(() => store.open('version-2'))).code).toBe('LOG_FAILED')
    expect((await failureOf(() => store.open('gone'))).code).toBe('SESSION_NOT_FOUND')
    expect(readdirSync(store.directory)).toEqual(['version-2.jsonl'])
  })

  it('writes nothing when a session is only read, also while it is in use', async () => {
    const store = storeWith('open-call')
    const path = join(store.directory, 'open-call.jsonl')
    const before = readFileSync(path)
    const reading = await store.read('open-call')
    const { log } = await store.open('open-call')
    log.append(toolCall('c9'))
    const events: LoggedEvent[] = []
    for await (const batch of reading.batches) events.push(...batch)
    await log.close()
    expect(events).toEqual((await readAll(path)).events.slice(0, events.length))
    expect(outline(events).at(-1)).toBe('tool/start c2')
    expect(readFileSync(path).subarray(0, before.length)).toEqual(before)
  })
})

describe('SessionStore.delete and prune', () => {
  it('deletes a session with its lock, and succeeds if there is none', async () => {
    const store = storeWith('good')
    await store.delete('good')
    await store.delete('good')
    await new SessionStore(join(tempDirectory(), 'none')).delete('good')
    expect(readdirSync(store.directory)).toEqual([])
  })

  it('refuses to delete an open session', async () => {
    const store = storeWith('good')
    const { log } = await store.open('good')
    expect((await failureOf(() => store.delete('good'))).code).toBe('SESSION_LOCKED')
    await log.close()
    await store.delete('good')
    expect(existsSync(log.path)).toBe(false)
  })

  it('prunes what is too old, then the oldest of what is too much, and never one in use', async () => {
    const store = storeWith()
    const now = Date.now() / 1000
    const ages = { ancient: 91 * 24, used: 100 * 24, old: 50, middle: 40, young: 1 }
    const sizeBytes = 1000
    const open = store.create({ ...place, id: 'used' })
    open.append(turnStart)
    for (const [id, hours] of Object.entries(ages)) {
      const path = id === 'used' ? open.path : await addSession(store, id)
      appendFileSync(path, ' '.repeat(sizeBytes - readFileSync(path).length))
      utimesSync(path, now - hours * 3600, now - hours * 3600)
    }
    expect(await store.prune()).toEqual({ removed: ['ancient'], freedBytes: sizeBytes })
    expect(await store.prune({ maxBytes: 3 * sizeBytes })).toEqual({ removed: ['old'], freedBytes: sizeBytes })
    expect(await store.prune({ maxAgeMs: 30 * hour })).toEqual({ removed: ['middle'], freedBytes: sizeBytes })
    expect(await store.prune()).toEqual({ removed: [], freedBytes: 0 })
    await open.close()
    expect((await store.prune({ maxBytes: sizeBytes })).removed).toEqual(['used'])
    expect(readdirSync(store.directory)).toEqual(['young.jsonl'])
  })

  it('sweeps locks and drafts that killed processes left', async () => {
    const store = storeWith('good')
    const draft = join(store.directory, 'index.00000000-0000-0000-0000-000000000000.tmp')
    const recent = join(store.directory, 'index.11111111-0000-0000-0000-000000000000.tmp')
    writeFileSync(join(store.directory, 'gone.999999999-m1.lock'), '')
    writeFileSync(draft, '')
    utimesSync(draft, 0, 0)
    writeFileSync(recent, '')
    await store.prune({ maxAgeMs: Number.MAX_SAFE_INTEGER })
    expect(readdirSync(store.directory).sort()).toEqual(['good.jsonl', recent.slice(store.directory.length + 1)])
  })

  it('prunes nothing where there is nothing', async () => {
    const store = new SessionStore(join(tempDirectory(), 'none'))
    expect(await store.prune()).toEqual({ removed: [], freedBytes: 0 })
    store.create(place).append({ type: 'session/config', mode: 'ask' })
    expect(existsSync(store.directory)).toBe(false)
  })
})
