import { realPaths } from './surroundings.js'

const TEMPORARY = ['/tmp', '/var/tmp']
const SOCKET_FOLDERS = ['/run', '/var/run']
const READ_ONLY = ['/proc/sys', '/proc/sysrq-trigger', '/proc/bus', '/proc/fs', '/proc/irq', '/proc/acpi', '/proc/scsi']
const HIDDEN = ['/proc/kcore', '/proc/keys', '/proc/timer_list']

/** Places that every Linux has, as they are on this one; real paths. */
export interface SystemPlaces {
  readonly temporary: readonly string[]
  /** Full of sockets, behind which services act for whoever asks. */
  readonly sockets: readonly string[]
  /** Parts of /proc through which root could change the kernel or read its memory. */
  readonly kernelFiles: { readonly readOnly: readonly string[]; readonly hidden: readonly string[] }
}

export async function findSystemPlaces(isRoot: boolean): Promise<SystemPlaces> {
  const [temporary, sockets, readOnly, hidden] = await Promise.all(
    [TEMPORARY, SOCKET_FOLDERS, isRoot ? READ_ONLY : [], isRoot ? HIDDEN : []].map(realPaths),
  )
  return {
    temporary: temporary ?? [],
    sockets: sockets ?? [],
    kernelFiles: { readOnly: readOnly ?? [], hidden: hidden ?? [] },
  }
}
