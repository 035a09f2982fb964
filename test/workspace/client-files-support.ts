import { onTestFinished, vi } from 'vitest'
import * as edit from '../../src/tools/edit/index.js'
import * as read from '../../src/tools/read/index.js'
import * as write from '../../src/tools/write/index.js'
import { BufferEditor, type BufferOptions } from '../support/buffer-client.js'
import { openWorkbench, type Workbench } from '../support/workbench.js'

export interface EditorBench extends Workbench {
  editor: BufferEditor
  /** The requests so far, as `read a.ts`, and forgets them. */
  requests(): string[]
}

interface EditorBenchOptions extends BufferOptions {
  /** How long a stale buffer is waited for; none unless told. */
  settleMs?: number
  /** The session is opened long after the files were last touched. */
  isLater?: boolean
}

/** A workbench with read, write and edit, whose session has an editor with buffers. */
export async function openEditorBench(options: EditorBenchOptions = {}): Promise<EditorBench> {
  const { settleMs = 0, isLater = false, ...buffers } = options
  const bench = await openWorkbench(read, write, edit)
  const editor = new BufferEditor(buffers)
  const now = Date.now()
  const clock = isLater ? vi.spyOn(Date, 'now').mockReturnValue(now + 60_000) : undefined
  bench.ctx.files.useEditor('bench', editor, settleMs)
  clock?.mockRestore()
  onTestFinished(() => bench.ctx.files.forget('bench'))
  return {
    ...bench,
    editor,
    requests: () =>
      editor.requests.splice(0).map(({ method, path }) => `${method} ${path.slice(bench.dir.length + 1)}`),
  }
}
