import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HarnessError } from '../cards/index.js'
import { hasErrno, stateDirError } from './io-failure.js'
import { isProcessAlive, ownStart } from './process-identity.js'

const takeoverLimitMs = 1000
const pollMs = 5

/** The right of this process to append to one session's log. */
export interface SessionLock {
  /** Idempotent. */
  release(): void
}

/*
 * Each taker makes a file of its own, ID.PID-START.lock, and then looks for others. Whoever sees no other live one writes
 * its name into the file and holds the lock. Of two that meet, at least the later one sees the other; the one whose file
 * name sorts first stays and the other withdraws. A dead process's file may be removed by anybody at any time, because no
 * live process ever uses that name again: that is what makes a takeover safe.
 */

/** Takes the lock at once, for a log that no other process knows yet. SESSION_LOCKED or STATE_DIR_FAILED. */
export function lockNewSession(directory: string, id: string): SessionLock {
  const claim = announce(directory, id)
  const [other] = otherClaims(directory, id, claim)
  if (!other) return hold(directory, claim)
  withdraw(directory, claim)
  throw lockedBy(id, other.pid)
}

/**
 * Takes the lock of a session; a dead process's is taken over. SESSION_LOCKED names the live process that has it, which
 * may be this one; STATE_DIR_FAILED if the directory cannot be written.
 */
export async function lockSession(directory: string, id: string): Promise<SessionLock> {
  const deadline = performance.now() + takeoverLimitMs
  let claim = announce(directory, id)
  for (;;) {
    const others = otherClaims(directory, id, claim)
    const [first] = others
    if (!first) return hold(directory, claim)
    const holder = others.find(file => isHeld(directory, file))
    if (holder || performance.now() > deadline) {
      withdraw(directory, claim)
      throw lockedBy(id, (holder ?? first).pid)
    }
    if (others.some(file => file.name < claim.name)) {
      withdraw(directory, claim)
      await sleep(pollMs)
      claim = announce(directory, id)
    } else await sleep(pollMs)
  }
}

/** Removes the lock files of dead processes in the directory. Best effort. */
export function sweepLocks(directory: string): void {
  liveClaims(directory, undefined)
}

interface Claim {
  name: string
  pid: number
  start: string
}

function announce(directory: string, id: string): Claim {
  const claim = { name: `${id}.${process.pid}-${ownStart}.lock`, pid: process.pid, start: ownStart }
  try {
    writeFileSync(join(directory, claim.name), '', { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    if (hasErrno(cause, 'EEXIST')) throw lockedBy(id, process.pid)
    throw stateDirError(directory, cause)
  }
  return claim
}

function hold(directory: string, claim: Claim): SessionLock {
  const path = join(directory, claim.name)
  try {
    writeFileSync(path, `${JSON.stringify({ pid: claim.pid, start: claim.start })}\n`)
  } catch (cause) {
    withdraw(directory, claim)
    throw stateDirError(directory, cause)
  }
  if (held.size === 0) process.on('exit', releaseAll)
  held.add(path)
  return {
    release() {
      if (!held.delete(path)) return
      if (held.size === 0) process.off('exit', releaseAll)
      rmSync(path, { force: true })
    },
  }
}

const held = new Set<string>()

function releaseAll(): void {
  for (const path of held) rmSync(path, { force: true })
}

function withdraw(directory: string, claim: Claim): void {
  rmSync(join(directory, claim.name), { force: true })
}

function otherClaims(directory: string, id: string, own: Claim): Claim[] {
  try {
    return liveClaims(directory, id).filter(claim => claim.name !== own.name)
  } catch (cause) {
    withdraw(directory, own)
    throw stateDirError(directory, cause)
  }
}

const claimName = /^(.+)\.(\d{1,10})-([a-z0-9-]+)\.lock$/

/** Claims of live processes on one session, or on any; removes those of dead ones. */
function liveClaims(directory: string, id: string | undefined): Claim[] {
  const live: Claim[] = []
  for (const name of readdirSync(directory)) {
    const match = name.endsWith('.lock') ? claimName.exec(name) : null
    if (!match || (id !== undefined && match[1] !== id)) continue
    const claim = { name, pid: Number(match[2]), start: match[3] ?? '' }
    if (isProcessAlive(claim.pid, claim.start)) live.push(claim)
    else withdraw(directory, claim)
  }
  return live
}

function isHeld(directory: string, claim: Claim): boolean {
  return (statSync(join(directory, claim.name), { throwIfNoEntry: false })?.size ?? 0) > 0
}

function lockedBy(id: string, pid: number): HarnessError {
  const where = pid === process.pid ? `this process already (pid ${pid})` : `another process (pid ${pid})`
  return new HarnessError('SESSION_LOCKED', `The session ${id} is open in ${where}.`)
}
