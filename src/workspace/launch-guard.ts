import { type ChildProcess, spawn } from 'node:child_process'
import { signalGroup } from './launch-group.js'
import { unrefStream } from './launch-output.js'

/**
 * Reads "+GROUP" and "-GROUP" lines. When its input ends, which also happens when the agent is killed without a chance to
 * clean up, it kills the groups that are left.
 */
const WATCHDOG = `
trap '' HUP INT TERM
groups=' '
while read -r line; do
  group=\${line#?}
  case $line in
    +*) groups="$groups$group " ;;
    -*) groups="\${groups%%" $group "*} \${groups#*" $group "}" ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done
`

/** An end may be told this much later. */
const TELL_DELAY_MS = 500

/** Holds process groups that must not outlive this process, however it ends. */
export interface LaunchGuard {
  hold(pgid: number): void
  drop(pgid: number): void
  /** Ends the watchdog once no launcher uses the guard. */
  close(): void
}

const held = new Set<number>()
let users = 0
let watchdog: ChildProcess | undefined
/** Lines for the watchdog that need not be sent at once. */
let waiting = ''
let timer: NodeJS.Timeout | undefined

/** One guard per process serves all launchers: the first opens it, the last closes it. */
export function openGuard(): LaunchGuard {
  if (users === 0) process.on('exit', killHeld)
  users += 1
  let open = true
  return {
    hold(pgid) {
      held.add(pgid)
      if (process.platform === 'win32') return
      if (watchdog === undefined) startWatchdog()
      else tell(`+${pgid}\n`)
    },
    drop(pgid) {
      if (held.delete(pgid)) tellLater(`-${pgid}\n`)
    },
    close() {
      if (!open) return
      open = false
      users -= 1
      if (users > 0) return
      process.off('exit', killHeld)
      tell('')
      watchdog?.stdin?.end()
      watchdog = undefined
    },
  }
}

function killHeld(): void {
  for (const pgid of held) signalGroup(pgid, 'SIGKILL')
}

function startWatchdog(): void {
  const started = spawn('/bin/sh', ['-c', WATCHDOG, 'deckhand-watchdog'], {
    detached: true,
    // A place that nobody wants to remove or unmount.
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const forget = () => {
    if (watchdog === started) watchdog = undefined
  }
  // Without it only a kill of the agent that it cannot see leaves children; the next command tries again.
  started.once('error', forget)
  started.once('exit', forget)
  started.stdin?.on('error', forget)
  started.unref()
  unrefStream(started.stdin)
  watchdog = started
  // What waits is of groups that this one never hears of.
  waiting = ''
  tell([...held].map(pgid => `+${pgid}\n`).join(''))
}

/** With the next lines, or after a moment: a group that has ended is nothing to hurry for, and each write wakes the watchdog. */
function tellLater(lines: string): void {
  waiting += lines
  timer ??= setTimeout(() => tell(''), TELL_DELAY_MS).unref()
}

function tell(lines: string): void {
  clearTimeout(timer)
  timer = undefined
  const all = waiting + lines
  waiting = ''
  if (all !== '') watchdog?.stdin?.write(all)
}
