import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { hasErrno } from './io-failure.js'

// A clock that was set, and a boot time computed from it, may be off by this much.
const clockSlackMs = 60_000

/** When this process started, in a form that {@link isProcessAlive} compares. Letters, digits and hyphens only. */
export const ownStart: string = linuxStart(process.pid) ?? `m${Math.floor(performance.timeOrigin)}`

/**
 * True if the process that had this pid and start runs. Where the start of another process cannot be read (no /proc), a
 * pid that exists counts as alive unless the machine has been booted since.
 */
export function isProcessAlive(pid: number, start: string): boolean {
  if (pid === process.pid) return start === ownStart
  const current = linuxStart(pid)
  if (current !== undefined && start.startsWith('t')) return current === start
  return pidExists(pid) && !(start.startsWith('m') && Number(start.slice(1)) < bootMs() - clockSlackMs)
}

/** Start time in clock ticks since boot, and which boot; undefined without /proc; `dead` for a zombie. */
function linuxStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in parentheses and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return 'dead'
    const boot = createHash('sha256').update(readFileSync('/proc/sys/kernel/random/boot_id')).digest('hex').slice(0, 8)
    return `t${fields[19]}-${boot}`
  } catch {
    return undefined
  }
}

function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasErrno(error, 'EPERM')
  }
}

function bootMs(): number {
  return Date.now() - uptime() * 1000
}
