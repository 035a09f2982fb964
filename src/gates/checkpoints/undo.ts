import { setImmediate as nextTurn } from 'node:timers/promises'
import { type FileChange, type GenericResultView, HarnessError, type JsonValue, text } from '../../cards/index.js'
import {
  type ActiveExecution,
  defineTool,
  type ToolDefinition,
  ToolError,
  type ToolOutput,
} from '../../registry/index.js'
import { type Files, toDisplayPath } from '../../workspace/index.js'
import type { CheckpointStore } from './checkpoint-store.js'
import { type Restored, restoreFile, toRestoredChange } from './restore.js'

const MAX_SHOWN = 50
const MAX_HUNK_BYTES = 512 * 1024
const MAX_NAMED = 50

/** The session command of the tool. */
export const undoCommand = {
  name: 'undo',
  description: 'Put the files back that the last turn changed; again: redo',
  call: { name: 'undo', arguments: {} },
}

/**
 * The tool that puts the files of the last turn back. What it does is a change of its own turn, so a second one is a redo.
 * It declares no effects: which files it touches only the session's past says.
 */
export function createUndoTool(files: Files, store: CheckpointStore): ToolDefinition {
  const tool = defineTool({
    name: 'undo',
    description:
      'Put the files that the last turn changed back as they were before it. A file that has changed since is left as it is. ' +
      'Undoing twice brings the changes back.',
    parameters: {},
    execute: (_args, exec) => undo(files, store, exec),
    presentCall: () => ({ card: 'generic', title: 'Undo the changes of the last turn', kind: 'edit' }),
    presentResult: (_args, { content }): GenericResultView => ({ card: 'generic', content }),
  })
  return { ...tool, userOnly: true }
}

async function undo(files: Files, store: CheckpointStore, exec: ActiveExecution): Promise<ToolOutput> {
  const { agent } = exec
  if (agent === undefined) {
    throw new HarnessError('NO_WORKSPACE', 'Without a session there is no turn to undo.')
  }
  const turn = await store.lastTurn(agent.sessionId, agent.turnId)
  if (turn === undefined) return [text('There is nothing to undo: no turn of this thread changed a file.')]
  const results: Restored[] = []
  for (const record of turn.files) results.push(await restoreFile(files, store, record, exec))
  const restored = results.filter(result => result.kind === 'restored')
  const content = [text(describe(results, turn.unkept, agent.cwd))]
  if (restored.length === 0 && results.some(({ kind }) => kind === 'left')) {
    throw new ToolError('CHANGED_SINCE_READ', 'Nothing was undone.', { content })
  }
  return { content, meta: await toMeta(restored) }
}

function describe(results: readonly Restored[], unkept: number, cwd: string): string {
  const name = ({ record }: Restored) => toDisplayPath(record.path, cwd)
  const restored = results.filter(({ kind }) => kind === 'restored')
  const left = results.filter(result => result.kind === 'left')
  const more = (count: number) => (count > MAX_NAMED ? `, and ${count - MAX_NAMED} more` : '')
  const done = restored.slice(0, MAX_NAMED).map(name).join(', ') + more(restored.length)
  const lines = [
    restored.length > 0 ? `Put back: ${done}` : left.length > 0 ? 'Nothing was undone.' : 'All files are as they were.',
    ...left.slice(0, MAX_NAMED).map(result => `Left as it is: ${name(result)}, for ${result.why}`),
    ...(left.length > MAX_NAMED ? [`Left as they are: ${left.length - MAX_NAMED} more files`] : []),
    ...(unkept > 0 ? [`Not known: the earlier content of ${unkept} more that a command of that turn changed`] : []),
  ]
  return lines.join('\n')
}

async function toMeta(restored: readonly Extract<Restored, { kind: 'restored' }>[]): Promise<JsonValue> {
  const changes: FileChange[] = []
  let room = MAX_HUNK_BYTES
  for (const result of restored.slice(0, MAX_SHOWN)) {
    const change = toRestoredChange(result, room)
    for (const { oldText, newText } of change.hunks) room -= (oldText?.length ?? 0) + newText.length
    changes.push(change)
    await nextTurn()
  }
  return {
    fileChanges: changes.map(change => ({ ...change, hunks: change.hunks.map(hunk => ({ ...hunk })) })),
    ...(restored.length > MAX_SHOWN && { fileChangesLeftOut: restored.length - MAX_SHOWN }),
  }
}
