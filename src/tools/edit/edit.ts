import type { Context } from 'cordis'
import { type FileChange, HarnessError, isHarnessError, type JsonValue, text, toFileChange } from '../../cards/index.js'
import { type ActiveExecution, defineTool, type ToolOutput } from '../../registry/index.js'
import type { FileContent, Files } from '../../workspace/index.js'
import { presentEditCall, presentEditResult } from './present.js'
import { type Replaced, replaceText } from './replace.js'
import { type EditArgs, type Replacement, toReplacements } from './replacements.js'

export const name = 'edit'
export const inject = ['tools', 'files']

const oldString = 'Text to replace, exactly as it stands in the file, blanks and line breaks included.'
const replaceAll = 'Replace every place where old_string stands. Without it there must be exactly one.'

/** Registers the tool `edit`. */
export function apply(ctx: Context): void {
  const { files } = ctx
  const tool = defineTool({
    name: 'edit',
    description:
      'Replace text in a file. Pass old_string and new_string for one replacement, or edits for several in order, each ' +
      'matching the text the earlier ones left; if one does not match, nothing is written. Line endings of the file are kept.',
    parameters: {
      path: {
        type: 'string',
        required: true,
        description: 'The file; relative to the working directory, or absolute.',
      },
      old_string: { type: 'string', description: oldString },
      new_string: { type: 'string', description: 'What stands there afterwards; empty to delete.' },
      replace_all: { type: 'boolean', description: replaceAll },
      edits: {
        type: 'array',
        description: 'Several replacements, instead of old_string and new_string.',
        items: {
          type: 'object',
          properties: {
            old_string: { type: 'string', required: true, description: oldString },
            new_string: { type: 'string', required: true, description: 'What stands there afterwards.' },
            replace_all: { type: 'boolean', description: replaceAll },
          },
        },
      },
    },
    consoleStrings: ['path', 'old_string', 'new_string'],
    execute: (args, exec) => edit(files, args, exec),
    presentCall: presentEditCall,
    presentResult: (_args, result) => presentEditResult(result),
    effects: args => ({ reads: [args.path], writes: [args.path] }),
  })
  ctx.tools.register({
    ...tool,
    validate(raw) {
      tool.validate?.(raw)
      toReplacements(raw as unknown as EditArgs)
    },
  })
}

async function edit(files: Files, args: EditArgs, exec: ActiveExecution): Promise<ToolOutput> {
  const replacements = toReplacements(args)
  const { realPath } = await files.resolve(exec.agent, args.path)
  return files.lock(realPath, () => editLocked(files, args.path, replacements, exec), exec.signal)
}

async function editLocked(
  files: Files,
  path: string,
  replacements: readonly Replacement[],
  exec: ActiveExecution,
): Promise<ToolOutput> {
  const before = await files.read(exec.agent, path, exec.signal)
  const { text: oldText, bodyStart } = toEditable(path, before)
  const sessionId = exec.agent?.sessionId
  const stale = ![undefined, before.hash].includes(files.seen(sessionId, before.realPath))
  const done = await replaceEach(before.bytes, bodyStart, replacements, stale)
  const after = done.bytes.equals(before.bytes)
    ? before
    : await files.write(exec.agent, path, done.bytes, { replacing: before, signal: exec.signal })
  files.markSeen(sessionId, after.realPath, after.hash)
  const change = toFileChange({ path: after.path, before: oldText, after: after.text ?? '' })
  return {
    content: [text(describeChange(path, done, change))],
    meta: toMeta(change, { replacements: done.count, seen: [{ path: after.realPath, hash: after.hash }] }),
  }
}

function toEditable(path: string, { type, text: content }: FileContent): { text: string; bodyStart: number } {
  if (type.kind === 'text' && content !== undefined && !type.encoding.startsWith('utf-16')) {
    return { text: content, bodyStart: type.bomBytes }
  }
  const what =
    type.kind === 'text' ? 'UTF-16 text: convert it to UTF-8 first' : type.kind === 'image' ? 'an image' : type.what
  throw new HarnessError('BINARY_FILE', `${path} cannot be edited as text: it is ${what}.`)
}

async function replaceEach(
  bytes: Buffer,
  bodyStart: number,
  replacements: readonly Replacement[],
  stale: boolean,
): Promise<Replaced> {
  let done: Replaced = { bytes, count: 0, lines: [] }
  for (const [n, replacement] of replacements.entries()) {
    const next = await replaceText(done.bytes, bodyStart, replacement).catch(error => {
      throw inContext(error, replacements.length > 1 ? `Edit ${n + 1} of ${replacements.length}: ` : '', stale)
    })
    done = { bytes: next.bytes, count: done.count + next.count, lines: [...done.lines, ...next.lines] }
  }
  return done
}

function inContext(error: unknown, prefix: string, stale: boolean): unknown {
  if (!isHarnessError(error)) return error
  const note = stale ? '\nThe file has changed since this session last saw it: read it again.' : ''
  return new HarnessError(error.code, `${prefix}${error.message}\nNothing was written.${note}`, { cause: error })
}

function describeChange(path: string, { count, lines }: Replaced, change: FileChange): string {
  if (change.type === 'unchanged') return `${path} is as it was: the replacements undo each other.`
  const shown = [...new Set(lines)].sort((a, b) => a - b).slice(0, 10)
  const where = `line${shown.length === 1 ? '' : 's'} ${shown.join(', ')}${lines.length < count ? ', …' : ''}`
  return `Edited ${path}: ${count === 1 ? '1 replacement' : `${count} replacements`} (${where}).`
}

function toMeta(change: FileChange, facts: { [key: string]: JsonValue }): JsonValue {
  return { ...change, hunks: change.hunks.map(hunk => ({ ...hunk })), ...facts }
}
