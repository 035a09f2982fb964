import type { SandboxPlan } from './plan.js'

/**
 * The profile of sandbox-exec (macOS) for a plan; later rules win. Untested on a real macOS. Processes keep the system's
 * process ids, so a child with a session of its own outlives a kill there.
 */
export function toSeatbeltProfile(plan: SandboxPlan, temporaryFolder: string): string {
  // The profile sees real paths, and /var is a link there.
  const temporary = temporaryFolder.replace(/^\/var\//, '/private/var/')
  const writable = [...plan.writable, ...plan.temporary.at, temporary]
  const readOnly = [...plan.readOnly, ...plan.keptEmpty]
  const hidden = [...plan.hidden.folders, ...plan.hidden.files]
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    `(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/fd/") ${subpaths(writable)})`,
    ...(readOnly.length > 0 ? [`(deny file-write* ${subpaths(readOnly)})`] : []),
    ...(hidden.length > 0 ? [`(deny file-read* file-write* ${subpaths(hidden)})`] : []),
    ...(plan.network ? [] : ['(deny network*)', '(allow network* (local unix-socket))']),
  ].join('\n')
}

function subpaths(paths: readonly string[]): string {
  return paths.map(path => `(subpath "${path.replace(/[\\"]/g, '\\$&')}")`).join(' ')
}
