import type { Context } from 'cordis'
import { type FileChange, formatBytes, HarnessError, type JsonValue, text, toFileChange } from '../../cards/index.js'
import { type ActiveExecution, defineTool, ToolArgsError, type ToolOutput } from '../../registry/index.js'
import type { FileContent, Files, WrittenFile } from '../../workspace/index.js'
import { toFileBytes } from './file-bytes.js'
import { presentWriteCall, presentWriteResult } from './present.js'

export const name = 'write'
export const inject = ['tools', 'files']

interface WriteArgs {
  path: string
  content: string
}

/** Registers the tool `write`. */
export function apply(ctx: Context): void {
  const { files } = ctx
  const tool = defineTool({
    name: 'write',
    description:
      'Create a file, or replace the whole content of one. An existing file must have been read before and must not have ' +
      'changed since; its line endings are kept. Missing directories are created.',
    parameters: {
      path: {
        type: 'string',
        required: true,
        description: 'The file; relative to the working directory, or absolute.',
      },
      content: { type: 'string', required: true, description: 'The whole content.' },
    },
    execute: (args, exec) => write(files, args, exec),
    presentCall: presentWriteCall,
    presentResult: (_args, result) => presentWriteResult(result),
    effects: args => ({ writes: [args.path] }),
  })
  ctx.tools.register({
    ...tool,
    validate(raw) {
      tool.validate?.(raw)
      if (/\p{Cs}/u.test(String(raw.content))) {
        throw new ToolArgsError('write', ['content must be valid Unicode: it holds half of a surrogate pair'])
      }
    },
  })
}

async function write(files: Files, args: WriteArgs, exec: ActiveExecution): Promise<ToolOutput> {
  const { realPath } = await files.resolve(exec.agent, args.path)
  return files.lock(realPath, () => writeLocked(files, args, exec), exec.signal)
}

async function writeLocked(files: Files, { path, content }: WriteArgs, exec: ActiveExecution): Promise<ToolOutput> {
  const sessionId = exec.agent?.sessionId
  const before = await files.readIfThere(exec.agent, path, exec.signal)
  if (before !== null) refuseUnseen(path, before, files.seen(sessionId, before.realPath))
  const bytes = toFileBytes(content, before)
  const after = before?.bytes.equals(bytes)
    ? before
    : await files.write(exec.agent, path, bytes, { replacing: before, signal: exec.signal })
  files.markSeen(sessionId, after.realPath, after.hash)
  const change = toChange(before, after)
  return {
    content: [text(describeChange(path, change, after.bytes.length))],
    meta: toMeta(change, { sizeBytes: after.bytes.length, seen: [{ path: after.realPath, hash: after.hash }] }),
  }
}

// Never a save of the user's that the session does not know of (B16).
function refuseUnseen(path: string, { type, hash }: FileContent, seenHash: string | undefined): void {
  if (type.kind === 'text' && type.encoding.startsWith('utf-16')) {
    throw new HarnessError(
      'BINARY_FILE',
      `${path} is UTF-16 text, and only UTF-8 can be written. Convert or delete it first.`,
    )
  }
  if (type.kind === 'binary') {
    throw new HarnessError(
      'BINARY_FILE',
      `${path} exists and is ${type.what}, not text. Delete it first if it is to be replaced.`,
    )
  }
  if (seenHash === undefined) {
    throw new HarnessError(
      'NOT_READ',
      `${path} exists and has not been read in this session. Read it first, or edit it.`,
    )
  }
  if (seenHash !== hash) {
    throw new HarnessError(
      'CHANGED_SINCE_READ',
      `${path} has changed since it was read, and nothing was written. Read it again.`,
    )
  }
}

function toChange(before: FileContent | null, after: WrittenFile): FileChange {
  const state = (file: FileContent | WrittenFile) =>
    file.text ?? { binary: true as const, sizeBytes: file.bytes.length }
  const change = toFileChange({ path: after.path, before: before && state(before), after: state(after) })
  if (change.type !== 'unchanged' || before?.hash === after.hash) return change
  return { ...change, type: 'modified', reason: 'Only bytes that are not valid UTF-8 changed.' }
}

function describeChange(path: string, change: FileChange, sizeBytes: number): string {
  if (change.type === 'unchanged') return `${path} already has exactly this content; nothing was written.`
  const what = change.type === 'created' ? 'Created' : 'Replaced'
  return `${what} ${path} (${formatBytes(sizeBytes)}).${change.reason === undefined ? '' : ` ${change.reason}`}`
}

function toMeta(change: FileChange, facts: { [key: string]: JsonValue }): JsonValue {
  return { ...change, hunks: change.hunks.map(hunk => ({ ...hunk })), ...facts }
}
