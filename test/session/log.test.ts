import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../../src/session/events.js'
import { lockSession } from '../../src/session/lock.js'
import { SessionLog } from '../../src/session/log.js'
import { SessionStore } from '../../src/session/store.js'
import { hasFullDevice, isPosix } from '../support/platform.js'
import {
  assistantSays,
  failureOf,
  outline,
  readAll,
  storeWith,
  tempDirectory,
  toolCall,
  turnEnd,
  turnStart,
  userSays,
} from './support.js'

const place = { cwd: '/w', roots: ['/w', '/x'] }

describe('SessionLog', () => {
  it('has no file before the first prompt, whatever was set before', async () => {
    const store = new SessionStore(join(tempDirectory(), 'state'))
    const log = store.create(place)
    log.append({ type: 'session/config', mode: 'ask', model: 'a/b' }, 1)
    log.append({ type: 'session/config', mode: 'plan' }, 2)
    await log.sync()
    expect([log.isWritten, existsSync(store.directory)]).toEqual([false, false])
    log.append(turnStart, 3)
    await log.sync()
    await log.close()
    const { header, events } = await readAll(log.path)
    expect(header).toEqual(log.header)
    expect(events).toEqual([
      { at: 2, type: 'session/config', mode: 'plan', model: 'a/b' },
      { at: 3, ...turnStart },
    ])
  })

  it.runIf(isPosix)('is readable by its owner only', async () => {
    const store = new SessionStore(join(tempDirectory(), 'state'))
    const log = store.create(place)
    log.append(turnStart)
    await log.close()
    expect(statSync(log.path).mode & 0o777).toBe(0o600)
    expect(statSync(store.directory).mode & 0o777).toBe(0o700)
    expect(statSync(join(store.directory, '..')).mode & 0o777).toBe(0o700)
  })

  it('has each record in the file when append returns, before any sync', async () => {
    const log = storeWith().create(place)
    const events = [turnStart, userSays('hi'), assistantSays('a\u2028\ud83d\ude00\u0000'), turnEnd]
    for (const [index, event] of events.entries()) {
      const logged = log.append(event, index)
      const lines = readFileSync(log.path, 'utf8').split('\n')
      expect(lines).toHaveLength(index + 3)
      expect(JSON.parse(lines[index + 1] ?? '')).toEqual(logged)
    }
    await log.close()
  })

  it('keeps an argument of a megabyte', async () => {
    const log = storeWith().create(place)
    const content = '\u001b'.repeat(1024 * 1024)
    log.append({ type: 'tool/call', callId: 'c1', name: 'write', arguments: { content }, origin: 'model' })
    await log.close()
    expect((await readAll(log.path)).events[0]).toMatchObject({ arguments: { content } })
  })

  it('refuses a record that a reader would skip for its length, and goes on', async () => {
    const log = storeWith().create(place)
    log.append(turnStart)
    expect((await failureOf(() => log.append(assistantSays('x'.repeat(33 * 1024 * 1024))))).code).toBe('TOO_LARGE')
    log.append(turnEnd)
    await log.close()
    expect(outline((await readAll(log.path)).events)).toEqual(['turn/start', 'turn/end'])
  })

  it('starts on a fresh line after a torn tail (B50)', async () => {
    const store = storeWith('torn-tail')
    const { log, warnings } = await store.open('torn-tail')
    log.append({ ...turnStart, turnId: 't2' } as SessionEvent)
    log.append(userSays('again'))
    await log.close()
    const again = await readAll(log.path)
    expect(outline(again.events).slice(-3)).toEqual(['turn/end', 'turn/start', 'user/message'])
    expect(warnings).toHaveLength(1)
    expect(again.warnings.map(warning => warning.line)).toEqual(warnings.map(warning => warning.line))
  })

  it('names the state directory and the reason when it cannot be made, and begins once it can', async () => {
    const root = tempDirectory()
    const blocker = join(root, 'state')
    writeFileSync(blocker, 'a file')
    const log = new SessionStore(blocker).create(place)
    const failure = await failureOf(() => log.append(turnStart))
    expect(failure.code).toBe('STATE_DIR_FAILED')
    expect(failure.message).toContain(join(blocker, 'sessions'))
    expect(failure.message).toMatch(/\((ENOTDIR|EEXIST|ENOENT)\)/)
    expect(failure.message).toContain('DECKHAND_STATE_DIR')
    const other = new SessionStore(join(root, 'other')).create(place)
    mkdirSync(other.path, { recursive: true })
    expect((await failureOf(() => other.append(turnStart))).code).toBe('STATE_DIR_FAILED')
    expect(existsSync(other.path)).toBe(true)
  })

  it.runIf(hasFullDevice)('answers LOG_FAILED when the disk is full', async () => {
    const directory = tempDirectory()
    const path = join(directory, 's1.jsonl')
    symlinkSync('/dev/full', path)
    const lock = await lockSession(directory, 's1')
    const log = SessionLog.reopen(path, { type: 'session', version: 1, id: 's1', ...place, created: '' }, lock)
    const failure = await failureOf(() => log.append(turnStart))
    expect([failure.code, failure.message.includes('no space left on device (ENOSPC)')]).toEqual(['LOG_FAILED', true])
    await log.close()
  })

  it('closes once, and refuses what comes after', async () => {
    const store = storeWith()
    const log = store.create(place)
    log.append(turnStart)
    const syncs = [log.sync(), log.sync()]
    await Promise.all([log.close(), log.close(), ...syncs])
    expect((await failureOf(() => log.append(turnEnd))).code).toBe('LOG_FAILED')
    await expect(log.sync()).resolves.toBeUndefined()
    await (await store.open(log.header.id)).log.close()
  })

  it('leaves a lock of a log that was cut back to the header usable', async () => {
    const store = storeWith('good')
    const path = join(store.directory, 'good.jsonl')
    truncateSync(path, 200)
    const { log } = await store.open('good')
    log.append(toolCall('c9'))
    await log.close()
    expect(outline((await readAll(path)).events)).toEqual(['tool/call c9'])
  })
})
