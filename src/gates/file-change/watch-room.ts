import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'

/** Folders that are watched at once: about 1.4 KB of memory each, and 1 KB in the kernel. */
const MAX_FOLDERS = 8000
/** What the system lets all programs of a user watch is the editor's too. */
const SHARE = 8

/** File systems on which nothing changes without this machine's kernel, by the number that statfs gives. */
const LOCAL_TYPES: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0x01021994, // tmpfs
  0xf2f52010, // f2fs
  0x2fc12fc1, // zfs
  0xca451a4e, // bcachefs
  0x794c7630, // overlayfs
])

/** Where and how many folders may be watched, by all trees of the process together. */
export class WatchRoom {
  /** Nothing is watched on this system. */
  readonly isNone: boolean
  #left: number
  readonly #devices = new Map<number, boolean>()

  /** `maxFolders`: default what the system can spare. `onFull` may have some given back. */
  constructor(
    maxFolders: number = spareWatches(),
    private readonly onFull: () => void = () => {},
  ) {
    this.#left = maxFolders
    this.isNone = maxFolders <= 0
  }

  take(): boolean {
    if (this.#left <= 0) this.onFull()
    if (this.#left <= 0) return false
    this.#left -= 1
    return true
  }

  giveBack(count: number): void {
    this.#left += count
  }

  /** Whether events tell of every change in this folder, which lies on this device: not on network, shared and user-space file systems. */
  async isTold(folder: string, device: number): Promise<boolean> {
    const known = this.#devices.get(device)
    if (known !== undefined) return known
    const isLocal = await statfs(folder).then(
      ({ type }) => LOCAL_TYPES.has(type),
      () => false,
    )
    this.#devices.set(device, isLocal)
    return isLocal
  }
}

// Elsewhere events come some time after the change, or without names.
function spareWatches(): number {
  if (process.platform !== 'linux') return 0
  try {
    const limit = Number.parseInt(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8'), 10)
    return Math.min(MAX_FOLDERS, Math.floor(limit / SHARE)) || 0
  } catch {
    return 0
  }
}
