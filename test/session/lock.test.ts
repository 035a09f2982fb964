import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lockNewSession, lockSession, sweepLocks } from '../../src/session/lock.js'
import { ownStart } from '../../src/session/process-identity.js'
import { useBuiltSources } from '../support/built-sources.js'
import { OtherProcess } from './other-process.js'
import { failureOf, outline, readAll, storeWith, tempDirectory } from './support.js'

const lockFiles = (directory: string) => readdirSync(directory).filter(name => name.endsWith('.lock'))

describe('a session lock', () => {
  it('holds the pid and the start of its process, and is gone after release', async () => {
    const directory = tempDirectory()
    const lock = await lockSession(directory, 's1')
    const [name, ...others] = lockFiles(directory)
    expect([name, others]).toEqual([`s1.${process.pid}-${ownStart}.lock`, []])
    expect(JSON.parse(readFileSync(join(directory, name ?? ''), 'utf8'))).toEqual({ pid: process.pid, start: ownStart })
    lock.release()
    lock.release()
    expect(lockFiles(directory)).toEqual([])
  })

  it('refuses a second taker of this process too, and keeps sessions apart', async () => {
    const directory = tempDirectory()
    const lock = lockNewSession(directory, 's1')
    const similar = await lockSession(directory, 's1-2')
    for (const take of [() => lockSession(directory, 's1'), () => lockNewSession(directory, 's1')]) {
      const failure = await failureOf(take)
      expect([failure.code, failure.message.includes(String(process.pid))]).toEqual(['SESSION_LOCKED', true])
    }
    lock.release()
    const again = await lockSession(directory, 's1')
    again.release()
    similar.release()
  })

  it('is taken over from a dead process, and from an earlier one with the same pid', async () => {
    const directory = tempDirectory()
    for (const dead of [`${process.pid}-t1-00000000`, '999999999-t1-00000000', '999999999-m1', `${process.ppid}-m1`]) {
      writeFileSync(join(directory, `s1.${dead}.lock`), '{}\n')
    }
    const lock = await lockSession(directory, 's1')
    expect(lockFiles(directory)).toHaveLength(1)
    lock.release()
  })

  it('answers STATE_DIR_FAILED where no lock can be made', async () => {
    const directory = join(tempDirectory(), 'missing')
    for (const take of [() => lockSession(directory, 's1'), () => lockNewSession(directory, 's1')]) {
      expect((await failureOf(take)).code).toBe('STATE_DIR_FAILED')
    }
  })

  it('sweeps away what dead processes left, and nothing else', async () => {
    const directory = tempDirectory()
    const lock = await lockSession(directory, 's1')
    for (const name of ['s1.999999999-m1.lock', 's2.999999999-t1-00000000.lock', 'notes.lock']) {
      writeFileSync(join(directory, name), '')
    }
    sweepLocks(directory)
    expect(lockFiles(directory).sort()).toEqual(['notes.lock', `s1.${process.pid}-${ownStart}.lock`])
    lock.release()
  })
})

describe('a session among processes', () => {
  const built = useBuiltSources({ store: 'session/store.ts' })

  it('is refused while another process has it, by its pid, and free after that one ends or is killed', async () => {
    const store = storeWith('good')
    for (const signal of [undefined, 'SIGKILL'] as const) {
      const other = new OtherProcess(built(), store, 'good', 'open')
      await other.says(1)
      other.go()
      expect(await other.says(2)).toEqual(['ready', 'opened'])
      for (const take of [() => store.open('good'), () => store.delete('good')]) {
        const failure = await failureOf(take)
        expect([failure.code, failure.message.includes(`pid ${other.pid}`)]).toEqual(['SESSION_LOCKED', true])
      }
      expect((await store.prune({ maxBytes: 0 })).removed).toEqual([])
      await other.end(signal)
      await (await store.open('good')).log.close()
    }
    expect(lockFiles(store.directory)).toEqual([])
  })

  it('is opened by exactly one of several that take over a dead lock at once', async () => {
    const store = storeWith('open-call')
    writeFileSync(join(store.directory, 'open-call.999999999-t1-00000000.lock'), '{}\n')
    const others = Array.from({ length: 4 }, () => new OtherProcess(built(), store, 'open-call', 'open'))
    await Promise.all(others.map(other => other.says(1)))
    for (const other of others) other.go()
    const answers = await Promise.all(others.map(async other => (await other.says(2))[1] ?? ''))
    const winner = others[answers.indexOf('opened')]
    const refused = answers.filter(answer => answer !== 'opened')
    expect(refused).toHaveLength(3)
    for (const answer of refused) expect(answer).toContain(`pid ${winner?.pid}`)
    await Promise.all(others.map(other => other.end()))
    const { events, closing, warnings } = await readAll(join(store.directory, 'open-call.jsonl'))
    expect(outline(events).slice(-3)).toEqual(['tool/result c1', 'tool/result c2', 'turn/end'])
    expect([closing(), warnings]).toEqual([[], []])
  })

  it('keeps everything that was shown before a SIGKILL, and closes the call it cut off (B46, B51)', async () => {
    const store = storeWith()
    const other = new OtherProcess(built(), store, 's1', 'fill')
    await other.says(1)
    other.go()
    await other.exited
    const shown = other.lines.filter(line => line.startsWith('shown')).length
    const path = join(store.directory, 's1.jsonl')
    const logged = (await readAll(path)).events.filter(event => event.type === 'tool/progress')
    expect(shown).toBeGreaterThan(0)
    expect(logged.length).toBeGreaterThanOrEqual(shown)
    await (await store.open('s1')).log.close()
    expect(outline((await readAll(path)).events).slice(-2)).toEqual(['tool/result c1', 'turn/end'])
  })
})
