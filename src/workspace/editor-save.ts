import { chmod, mkdir, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HarnessError } from '../cards/index.js'
import {
  isTextOf,
  NEW_FORM,
  type TextForm,
  toBufferText,
  toFormBytes,
  toFormText,
  toTextOfForm,
} from './buffer-text.js'
import { type EditorTarget, readForEditor } from './editor-target.js'
import { throwIfAborted, toFileError } from './file-error.js'
import type { FileContent } from './read-file.js'
import { type BufferLook, refuseUnsettled, type SessionEditor, until } from './session-editor.js'
import { firstMissing, removeFolders, type WriteOptions, writeWholeFile } from './write-file.js'

/**
 * Has the editor take over and save `bytes`, and answers what the disk then holds: a formatter may have run. Undefined if
 * this file is not the editor's, and nothing of the user's is lost when the disk is written. Throws STALE_BUFFER,
 * CHANGED_SINCE_READ, EDITOR_FAILED, FILE_FAILED, ABORTED.
 */
export async function saveInEditor(
  editor: SessionEditor,
  target: EditorTarget,
  bytes: Buffer,
  options: WriteOptions,
): Promise<FileContent | undefined> {
  // Just before the write: the editor merges by what it was last asked for, and the user may be typing.
  const look = await editor.look(target, { onFailure: 'throw', signal: options.signal })
  if (look.state === 'alone' && !look.isNew) return undefined
  if (look.state === 'stale' || look.state === 'conflict') refuseUnsettled(target.spoken, look.state)
  refuseOther(target, look, options.replacing)
  const text = toSendable(editor, look, bytes)
  if (text === undefined && look.state === 'unsaved') throw notSendable(target)
  if (text === undefined) return undefined
  const saved = await inFolder(target, look, () => new Saving(editor, target, look, text).run(options.signal))
  if (saved === undefined) return undefined
  editor.note(target, saved.hash, saved.hash)
  if (options.mode !== undefined) await setMode(target, options.mode)
  const before = look.state === 'unsaved' ? look.buffer : diskOf(look)
  if (before !== null && saved.bytes.equals(before.bytes) && !bytes.equals(before.bytes)) throw undone(target)
  return saved
}

/** One text on its way through the editor to the disk. */
class Saving {
  constructor(
    private readonly editor: SessionEditor,
    private readonly target: EditorTarget,
    private readonly look: BufferLook,
    private readonly text: string,
  ) {}

  async run(signal: AbortSignal | undefined): Promise<FileContent | undefined> {
    throwIfAborted(signal)
    try {
      const sent = toFormText(this.text, sentForm(this.look))
      const isTaken = await this.editor.files.write(this.target.editorPath, sent, signal)
      if (!isTaken && this.look.state === 'unsaved') throw notSendable(this.target)
      if (!isTaken) return undefined
    } catch (error) {
      // The answer did not come, but perhaps the text arrived: a saved file is never shown as not saved.
      const file = await this.readDisk().catch(() => null)
      if (file !== null && toBufferText(file.bytes)?.text === this.text) return file
      throw error
    }
    const saved = await this.readBack(signal)
    if (saved === undefined && signal?.aborted) {
      const message = `The call was stopped when the editor had taken over the text of ${this.target.spoken}, but not saved it.`
      throw new HarnessError('ABORTED', message)
    }
    return saved ?? (await this.saveOurselves())
  }

  /** What the editor saved; undefined if the disk did not change in time. */
  private async readBack(signal: AbortSignal | undefined): Promise<FileContent | undefined> {
    const found = await until(
      signal?.aborted ? 0 : this.editor.settleMs,
      undefined,
      () => this.compare(),
      ({ isSettled }) => isSettled || signal?.aborted === true,
    )
    return found.isChanged ? (found.file ?? undefined) : undefined
  }

  private async compare(): Promise<{ file: FileContent | null; isChanged: boolean; isSettled: boolean }> {
    const file = await this.readDisk()
    const saved = file === null ? undefined : toBufferText(file.bytes)?.text
    if (saved !== undefined && saved === this.text) return { file, isChanged: true, isSettled: true }
    const isChanged = file !== null && file.version !== diskOf(this.look)?.version
    if (!isChanged) return { file, isChanged, isSettled: false }
    const buffer = await this.bufferText()
    return { file, isChanged, isSettled: buffer === undefined || saved === undefined || isTextOf(saved, buffer) }
  }

  // An editor that only changes its buffer: commands and other programs would not see what the tool reports.
  private async saveOurselves(): Promise<FileContent> {
    const buffer = await this.bufferText()
    const disk = diskOf(this.look)
    const before = this.look.state === 'alone' ? '' : this.look.text
    const isAsBefore = buffer !== undefined && isTextOf(before, buffer)
    if (disk !== null && isAsBefore) throw undone(this.target)
    const text = buffer === undefined || isAsBefore || isTextOf(this.text, buffer) ? this.text : buffer
    await writeWholeFile(this.target, toFormBytes(text, formOf(this.look)), { replacing: disk })
    const file = await this.readDisk()
    if (file === null) throw editorFailed(`${this.target.spoken} was written, but is not there any more.`)
    return file
  }

  private async bufferText(): Promise<string | undefined> {
    const given = await this.editor.textOf(this.target, { onFailure: 'disk' })
    return given === 'failed' ? undefined : given?.text
  }

  private async readDisk(): Promise<FileContent | null> {
    const found = await readForEditor(this.target)
    return typeof found === 'string' ? null : found.file
  }
}

async function setMode({ realPath, spoken }: EditorTarget, mode: number): Promise<void> {
  await chmod(realPath, mode).catch(error => {
    throw toFileError(error, 'write', spoken)
  })
}

function diskOf(look: BufferLook): FileContent | null {
  return look.state === 'alone' ? null : look.disk
}

function formOf(look: BufferLook): TextForm {
  return look.state === 'alone' ? NEW_FORM : look.form
}

// Editors that show marks and CRLF write what they get.
function sentForm(look: BufferLook): TextForm {
  if (look.state === 'alone') return NEW_FORM
  const { form, editorForm } = look
  return { hasMark: form.hasMark && editorForm.hasMark, ending: form.ending === '\n' ? '\n' : editorForm.ending }
}

/** The LF text of these bytes, if the editor can save it as exactly them. */
function toSendable(editor: SessionEditor, look: BufferLook, bytes: Buffer): string | undefined {
  const form = formOf(look)
  const sent = sentForm(look)
  // An editor that hides the mark may remember it or not.
  if (form.hasMark && !sent.hasMark) return undefined
  const text = toTextOfForm(bytes, form)
  return text !== undefined && editor.files.carries(toFormText(text, sent)) ? text : undefined
}

function refuseOther(target: EditorTarget, look: BufferLook, replacing: WriteOptions['replacing']): void {
  if (replacing === undefined) return
  const now = look.state === 'unsaved' ? look.buffer : diskOf(look)
  if (replacing === null ? now === null : now?.version === replacing.version) return
  throw new HarnessError(
    'CHANGED_SINCE_READ',
    `${target.spoken} was changed by somebody else just now, and nothing was written. Read it again.`,
  )
}

/** Makes the missing folders of a new file, and takes them away again if it does not come to be. */
async function inFolder<T>(
  target: EditorTarget,
  look: BufferLook,
  save: () => Promise<T | undefined>,
): Promise<T | undefined> {
  if (diskOf(look) !== null) return save()
  const folder = dirname(target.realPath)
  let missing: string | undefined
  try {
    missing = firstMissing(folder)
    if (missing !== undefined) await mkdir(folder, { recursive: true })
    if ((await realpath(folder)) !== folder)
      throw editorFailed(`${target.spoken} was moved or replaced just now. Try again.`)
    const saved = await save()
    if (saved === undefined && missing !== undefined) await removeFolders(folder, missing)
    return saved
  } catch (error) {
    if (missing !== undefined) await removeFolders(folder, missing)
    throw toFileError(error, 'write', target.spoken)
  }
}

function editorFailed(message: string): HarnessError {
  return new HarnessError('EDITOR_FAILED', message)
}

function notSendable({ spoken }: EditorTarget): HarnessError {
  return editorFailed(
    `${spoken} has text in the editor that is not saved, and the editor cannot take over the new text. Nothing was written. Save the file in the editor; then try again.`,
  )
}

function undone({ spoken }: EditorTarget): HarnessError {
  return editorFailed(
    `The editor took the change of ${spoken}, but the file is as it was before: what formats it on saving may have undone it.`,
  )
}
