import type { Command, Launcher } from '../../registry/index.js'
import { findProgram } from '../../workspace/index.js'
import { ISOLATION } from './bubblewrap.js'

/** What holds commands on this machine. */
export type Backend =
  | { readonly type: 'bubblewrap'; readonly program: string; readonly privileges: readonly string[] }
  | { readonly type: 'seatbelt'; readonly program: string }

/** A backend that works, or why there is none and what to do about it. */
export type Detection = { readonly backend: Backend } | { readonly problem: string }

const PROBE_OWNER = 'sandbox-probe'
const PROBE_MS = 3000
const MAX_WORDS = 300

/**
 * As root: no capability but those that let root work in a folder of another user. Without `--cap-drop` bubblewrap leaves
 * root all of them, and with them every mount of the sandbox could be undone.
 */
const ROOT_PRIVILEGES = [
  '--cap-drop',
  'ALL',
  ...['DAC_OVERRIDE', 'CHOWN', 'FOWNER'].flatMap(cap => ['--cap-add', `CAP_${cap}`]),
]
/** Root of a container that may not make namespaces but for a user of its own. */
const CONTAINED_PRIVILEGES = ['--unshare-user', '--cap-drop', 'ALL']

/** Finds out, by running it once, whether a sandbox works here. Never rejects. */
export async function detectBackend(launcher: Launcher, platform: NodeJS.Platform): Promise<Detection> {
  if (platform === 'linux') return detectBubblewrap(launcher)
  if (platform === 'darwin') return detectSeatbelt(launcher)
  return { problem: `Deckhand has no sandbox for ${platform === 'win32' ? 'Windows' : platform}.` }
}

async function detectBubblewrap(launcher: Launcher): Promise<Detection> {
  const program = findProgram(['bwrap'])
  if (program === undefined) {
    return {
      problem:
        'bubblewrap is not installed: install the package bubblewrap (apt, dnf, pacman, zypper, apk), which brings bwrap.',
    }
  }
  const isRoot = process.getuid?.() === 0
  let words = ''
  for (const privileges of isRoot ? [ROOT_PRIVILEGES, CONTAINED_PRIVILEGES] : [['--cap-drop', 'ALL']]) {
    const tried = await probe(launcher, [
      program,
      ...ISOLATION,
      ...privileges,
      '--unshare-net',
      '--',
      program,
      '--version',
    ])
    if (tried === undefined) return { backend: { type: 'bubblewrap', program, privileges } }
    words = tried
  }
  return {
    problem:
      `bubblewrap does not work here (${words}): this system lets users make no namespaces, as many containers and Ubuntu ` +
      'from 23.10 on do (there an AppArmor profile for bwrap, or sysctl kernel.apparmor_restrict_unprivileged_userns=0, allows it).',
  }
}

async function detectSeatbelt(launcher: Launcher): Promise<Detection> {
  const program = findProgram(['/usr/bin/sandbox-exec'])
  if (program === undefined) return { problem: 'sandbox-exec is not there.' }
  const words = await probe(launcher, [program, '-p', '(version 1)(allow default)', '/usr/bin/true'])
  return words === undefined
    ? { backend: { type: 'seatbelt', program } }
    : { problem: `sandbox-exec does not work here (${words}).` }
}

/** Undefined if the command succeeds, else what it said. */
async function probe(launcher: Launcher, command: Command): Promise<string | undefined> {
  let words = ''
  let timer: NodeJS.Timeout | undefined
  try {
    const child = await launcher.launch(PROBE_OWNER, command, {
      cwd: '/',
      onOutput: (chunk, stream) => {
        if (stream === 'stderr') words = (words + Buffer.from(chunk).toString()).slice(0, MAX_WORDS)
      },
    })
    const late = new Promise<'late'>(resolve => {
      timer = setTimeout(() => resolve('late'), PROBE_MS)
    })
    const end = await Promise.race([child.exited, late])
    if (end !== 'late')
      return end.exitCode === 0 ? undefined : words.trim().split('\n')[0] || 'it failed without a word'
    await child.kill()
    return `no answer within ${PROBE_MS / 1000} s`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    clearTimeout(timer)
  }
}
