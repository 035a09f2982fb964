import type { SandboxPlan } from './plan.js'

/** The whole system read-only, with process ids, shared memory, devices and /proc of the command's own. */
export const ISOLATION = [
  ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
]

/**
 * The arguments of bwrap for a plan, up to and with `--`; later mounts cover earlier ones.
 *
 * Without `--new-session` and `--die-with-parent`: the launcher starts bwrap as the leader of a session and a group without a
 * terminal, and bwrap's first process inside stays in that group. So a kill of the group lets the command end by itself on
 * SIGTERM, and the SIGKILL after it takes that first process, with it every process of the namespace, also those with a
 * session of their own. A child left in the background lives on when its shell has exited, as without a sandbox.
 */
export function toBubblewrapArguments(plan: SandboxPlan, privileges: readonly string[]): string[] {
  const { folder } = plan.temporary
  return [
    ...ISOLATION,
    ...privileges,
    ...(plan.network ? [] : ['--unshare-net']),
    ...plan.kernelFiles.readOnly.flatMap(path => ['--ro-bind', path, path]),
    ...plan.kernelFiles.hidden.flatMap(coverFile),
    ...plan.emptied.flatMap(path => ['--tmpfs', path]),
    ...plan.temporary.at.flatMap(path => (folder === undefined ? ['--tmpfs', path] : ['--bind', folder, path])),
    ...plan.shown.flatMap(path => ['--ro-bind', path, path]),
    ...plan.writable.flatMap(path => ['--bind', path, path]),
    ...plan.links.flatMap(({ at, to }) => ['--symlink', to, at]),
    ...plan.readOnly.flatMap(path => ['--ro-bind', path, path]),
    ...plan.keptEmpty.flatMap(path => ['--tmpfs', path, '--remount-ro', path]),
    ...plan.hidden.folders.flatMap(path => ['--perms', '0000', '--tmpfs', path, '--remount-ro', path]),
    ...plan.hidden.files.flatMap(coverFile),
    ...['--chdir', plan.cwd, '--'],
  ]
}

/** A device where devices do not count: it cannot be opened, not even by root. */
function coverFile(path: string): string[] {
  return ['--ro-bind', '/dev/null', path]
}
