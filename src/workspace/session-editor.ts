import { setTimeout as delay } from 'node:timers/promises'
import { HarnessError, hasErrorCode } from '../cards/index.js'
import { type BufferState, type KnownPair, toBufferState } from './buffer-state.js'
import {
  type BufferText,
  fromEditor,
  isTextOf,
  NEW_FORM,
  type TextForm,
  toBufferText,
  toFormBytes,
} from './buffer-text.js'
import type { EditorFiles } from './editor-files.js'
import { type EditorTarget, readForEditor } from './editor-target.js'
import { throwIfAborted } from './file-error.js'
import { hashBytes } from './hash-bytes.js'
import { toPathKey } from './path-lock.js'
import { describeBytes, type FileContent } from './read-file.js'

const POLL_MS = 50
/** How long an editor gets to reload a file that changed on the disk, or to write one that it has saved. */
const SETTLE_MS = 1000
/** The clocks of file systems are coarse, and not always this machine's. */
const CLOCK_MARGIN_MS = 2000

/** Disk and buffer of a file, looked at together. */
export type BufferLook =
  /** The editor plays no part, the disk counts. `isNew`: there is no file either. `failed`: it did not answer; the disk's hash. */
  | { state: 'alone'; isNew: boolean; failed?: string }
  | {
      state: BufferState
      disk: FileContent | null
      /** The buffer as a file, in the form that the disk has. */
      buffer: FileContent
      /** LF. */
      text: string
      form: TextForm
      /** The form in which the editor gives and takes the text. */
      editorForm: TextForm
    }

/** How a look deals with an editor that fails: `disk` goes on without it, `throw` passes its EDITOR_FAILED on. */
interface LookOptions {
  onFailure: 'disk' | 'throw'
  signal?: AbortSignal
}

/** What one session knows of the buffers of its editor. */
export class SessionEditor {
  private readonly openedAtMs = Date.now()
  private readonly known = new Map<string, KnownPair>()
  /** The disk's hash in each conflict that was found. */
  private readonly conflicts = new Map<string, string>()

  constructor(
    readonly files: EditorFiles,
    readonly settleMs: number = SETTLE_MS,
  ) {}

  /** Compares disk and buffer; where the buffer may be old, the editor gets a moment to reload. */
  async look(target: EditorTarget, options: LookOptions): Promise<BufferLook> {
    const found = await until(
      this.settleMs,
      options.signal,
      () => this.compare(target, options),
      look => !this.mayChange(target, look),
    )
    const key = toPathKey(target.realPath)
    if (found.state === 'conflict' && found.disk) this.conflicts.set(key, found.disk.hash)
    // The disk's text is shown now, whatever the buffer turns out to hold.
    if (found.state === 'alone' && found.failed && !this.known.has(key)) this.conflicts.set(key, found.failed)
    if (found.state === 'clean' || found.state === 'unsaved') {
      this.note(target, found.disk?.hash ?? null, found.buffer.hash)
    }
    return found
  }

  /** The file as it counts for this session; undefined if that is the disk's. Throws STALE_BUFFER. */
  async read(target: EditorTarget, signal?: AbortSignal): Promise<FileContent | undefined> {
    const look = await this.look(target, { onFailure: 'disk', signal })
    if (look.state === 'stale') refuseUnsettled(target.spoken, look.state)
    return look.state === 'unsaved' || look.state === 'conflict' ? look.buffer : undefined
  }

  /** Takes down that these two belong together: the buffer holds what the disk has, or the user's text on top of it. */
  note(target: EditorTarget, disk: string | null, buffer: string): void {
    const key = toPathKey(target.realPath)
    this.known.set(key, { disk, buffer })
    this.conflicts.delete(key)
  }

  /** The disk was written without the editor, which gets a moment to reload. A buffer that stays behind is stale from now on. */
  async follow(target: EditorTarget, isStopped: boolean): Promise<void> {
    const look = () => this.compare(target, { onFailure: 'disk' })
    const isSettled = ({ state }: BufferLook) => state === 'alone' || state === 'clean'
    const { state, ...found } = await until(isStopped ? 0 : this.settleMs, undefined, look, isSettled)
    if (state === 'alone' || !('buffer' in found)) return
    this.note(target, found.buffer.hash, found.buffer.hash)
  }

  /** The buffer's text; undefined if the editor has no such file, `failed` if it fails and `onFailure` lets it. */
  async textOf(target: EditorTarget, { onFailure, signal }: LookOptions): Promise<BufferText | undefined | 'failed'> {
    try {
      const raw = await this.files.read(target.editorPath, signal)
      return raw === undefined ? undefined : fromEditor(raw)
    } catch (error) {
      if (onFailure === 'disk' && hasErrorCode(error, 'EDITOR_FAILED')) return 'failed'
      throw error
    }
  }

  private mayChange(target: EditorTarget, { state, disk }: BufferLook & { disk?: FileContent | null }): boolean {
    if (state === 'stale') return true
    // A conflict that was there before waits for the user.
    return state === 'conflict' && disk?.hash !== this.conflicts.get(toPathKey(target.realPath))
  }

  private async compare(target: EditorTarget, options: LookOptions): Promise<BufferLook> {
    const onDisk = await readForEditor(target, options.signal)
    if (onDisk === 'other') return { state: 'alone', isNew: false }
    const disk = onDisk === 'missing' ? null : onDisk.file
    const saved = disk === null ? { text: '', form: NEW_FORM } : savedText(disk)
    if (saved === undefined) return { state: 'alone', isNew: false }
    const given = await this.textOf(target, options)
    if (given === 'failed' && disk !== null) return { state: 'alone', isNew: false, failed: disk.hash }
    if (given === undefined || given === 'failed') return { state: 'alone', isNew: disk === null }
    const isSame = isTextOf(saved.text, given.text)
    const { form } = saved
    const buffer = await toBufferContent(target, toFormBytes(isSame ? saved.text : given.text, form), disk)
    // Editors open an empty buffer for a file that is not there.
    if (disk === null && isSame) {
      this.note(target, null, buffer.hash)
      return { state: 'alone', isNew: true }
    }
    const state = toBufferState({
      disk: disk?.hash ?? null,
      buffer: buffer.hash,
      seen: target.seen,
      known: this.known.get(toPathKey(target.realPath)),
      conflict: this.conflicts.get(toPathKey(target.realPath)),
      untouched: onDisk !== 'missing' && onDisk.touchedAtMs < this.openedAtMs - CLOCK_MARGIN_MS,
    })
    return { state, disk, buffer, text: isSame ? saved.text : given.text, form, editorForm: given.form }
  }
}

/** Throws STALE_BUFFER: the user has to say which of the two texts counts. */
export function refuseUnsettled(spoken: string, state: 'stale' | 'conflict'): never {
  const holds =
    state === 'stale' ? 'the editor still shows its old text' : 'the editor holds other text that is not saved'
  throw new HarnessError(
    'STALE_BUFFER',
    `${spoken} has changed on the disk, and ${holds}. Save the file in the editor to keep that text, or reload it there to take the disk's; then try again.`,
  )
}

/** What `ask` answers as soon as that is `settled`, else its last answer before the time is over. Throws ABORTED. */
export async function until<T>(
  limitMs: number,
  signal: AbortSignal | undefined,
  ask: () => Promise<T>,
  isSettled: (answer: T) => boolean,
): Promise<T> {
  const end = performance.now() + limitMs
  for (;;) {
    const answer = await ask()
    if (isSettled(answer) || performance.now() >= end) return answer
    await delay(POLL_MS, undefined, { signal }).catch(() => throwIfAborted(signal))
  }
}

function savedText({ type, bytes }: FileContent): BufferText | undefined {
  return type.kind === 'text' ? toBufferText(bytes) : undefined
}

async function toBufferContent(target: EditorTarget, bytes: Buffer, disk: FileContent | null): Promise<FileContent> {
  const hash = await hashBytes(bytes)
  const version = `${disk?.version ?? 'none'}+${hash}`
  return { path: target.path, realPath: target.realPath, bytes, hash, ...describeBytes(bytes), version, unsaved: true }
}
