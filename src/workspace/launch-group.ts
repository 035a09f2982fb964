import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'

const GRACE_MS = 500
/** A process that even SIGKILL does not end sits in the kernel (a dead network disk): nobody can wait for that. */
const KILL_WAIT_MS = 1000
const FIRST_POLL_MS = 1
const LAST_POLL_MS = 40
/** Most groups are gone by then: only what is left is worth a look through all processes. */
const SCAN_AFTER_POLL_MS = 8
const PROC_BATCH = 200

/** Signals a process group; false if there is no such group. */
export function signalGroup(pgid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pgid, signal)
    return true
  } catch (error) {
    // EPERM: it exists, but a member has changed its user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** True while the group's number is taken, be it by a process that has ended and was not collected. */
export function groupExists(pgid: number): boolean {
  return process.platform === 'win32' ? processExists(pgid) : signalGroup(pgid, 0)
}

/** Ends a process group: SIGTERM, and SIGKILL after the grace. Settles when it is gone, or when waiting has no use. */
export async function endGroup(pgid: number): Promise<void> {
  if (process.platform === 'win32') return endTree(pgid)
  if (!signalGroup(pgid, 'SIGTERM')) return
  // A stopped process handles SIGTERM only once it goes on.
  signalGroup(pgid, 'SIGCONT')
  await waitUntilGone(pgid, GRACE_MS)
  // Also when nothing seemed to run: a process may have forked and ended while the list was read.
  if (signalGroup(pgid, 'SIGKILL')) await waitUntilGone(pgid, KILL_WAIT_MS)
}

async function waitUntilGone(pgid: number, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs
  for (let pollMs = FIRST_POLL_MS; groupExists(pgid); pollMs = Math.min(pollMs * 2, LAST_POLL_MS)) {
    await wait(pollMs)
    if (performance.now() >= deadline) return
    if (pollMs >= SCAN_AFTER_POLL_MS && !(await hasRunningMember(pgid))) return
  }
}

async function hasRunningMember(pgid: number): Promise<boolean> {
  if (!groupExists(pgid)) return false
  // In a container whose first process collects no orphans, ended ones keep their group for ever.
  const processes = listProcesses()
  if (processes.length === 0) return true
  for (const [index, pid] of processes.entries()) {
    if (isRunningMember(pid, pgid)) return true
    if (index % PROC_BATCH === PROC_BATCH - 1) await nextTurn()
  }
  return false
}

/** Process ids as Linux lists them; elsewhere empty. */
function listProcesses(): string[] {
  if (process.platform !== 'linux') return []
  try {
    return readdirSync('/proc').filter(name => /^\d/.test(name))
  } catch {
    return []
  }
}

function isRunningMember(pid: string, pgid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in parentheses may hold anything; after it come the state, the parent and the group.
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(group) === pgid && state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Windows has no groups: the tree is walked by parent. Untested on a real Windows. */
async function endTree(pid: number): Promise<void> {
  await new Promise<void>(resolve => {
    const killer = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
    killer.once('error', () => resolve())
    killer.once('exit', () => resolve())
  })
}
