import { type FileChange, fileChangesOf } from '../../../src/cards/index.js'
import * as fileChange from '../../../src/gates/file-change/index.js'
import * as bash from '../../../src/tools/bash/index.js'
import * as edit from '../../../src/tools/edit/index.js'
import * as read from '../../../src/tools/read/index.js'
import * as write from '../../../src/tools/write/index.js'
import { launcherPlugin } from '../../../src/workspace/index.js'
import { openWorkbench, type Workbench } from '../../support/workbench.js'

export interface CommandBench extends Workbench {
  /** Runs a shell command and answers what the gate said of it. */
  run(command: string, options?: Parameters<Workbench['call']>[2]): Promise<Ran>
}

export interface Ran {
  changes: FileChange[]
  /** The line for the model; undefined if nothing changed. */
  line: string | undefined
  text: string
  isError: boolean
  meta: unknown
}

/** The file-change gate with the shell and the file tools. */
export async function openCommandBench(config: fileChange.FileChangeConfig = {}): Promise<CommandBench> {
  const gate = {
    name: fileChange.name,
    inject: fileChange.inject,
    apply: (ctx: never) => fileChange.apply(ctx, config),
  }
  const bench = await openWorkbench(launcherPlugin, gate, bash, read, write, edit)
  return {
    ...bench,
    run: async (command, options) => {
      const { text, isError, meta } = await bench.call('bash', { command }, options)
      const line = text.split('\n').find(each => each.startsWith('Files changed'))
      return { changes: fileChangesOf(meta), line, text, isError, meta }
    },
  }
}
