import { type ChangedFile, toChangedFiles } from './changes.js'
import type { CommandWindow } from './command-window.js'
import type { RootTree } from './trees.js'

export interface CommandChanges {
  files: ChangedFile[]
  /** Another command ran in the same tree at the same time. */
  overlapped: boolean
}

/** The trees of a session while one command of it runs. */
export class CommandWatch {
  private constructor(private readonly open: readonly { root: RootTree; window: CommandWindow }[]) {}

  /** Looks at the trees just before the command. Never rejects. */
  static async begin(roots: readonly RootTree[]): Promise<CommandWatch> {
    const begun = await Promise.all(roots.map(async root => ({ root, window: await root.watch.begin() })))
    return new CommandWatch(begun.flatMap(({ root, window }) => (window === undefined ? [] : [{ root, window }])))
  }

  /** Looks again, once. A tree of which the look did not come to its end gives nothing. Never rejects. */
  async end(): Promise<CommandChanges> {
    const changes: CommandChanges = { files: [], overlapped: false }
    for (const { root, window } of this.open) {
      const isWhole = await root.watch.end(window)
      if (!isWhole || window.before.size === 0) continue
      for (const file of await toChangedFiles(window, root)) changes.files.push(file)
      changes.overlapped ||= window.overlapped
    }
    return changes
  }
}
