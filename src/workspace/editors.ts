import type { EditorFiles } from './editor-files.js'
import { saveInEditor } from './editor-save.js'
import { type EditorTarget, toEditorPath } from './editor-target.js'
import type { FileContent } from './read-file.js'
import type { ResolvedPath, WorkspaceAgent } from './resolve-path.js'
import type { SeenFiles } from './seen-files.js'
import { SessionEditor } from './session-editor.js'
import type { WriteOptions } from './write-file.js'

/** The editors of the sessions that have one. Two sessions of one client share its buffers, not what they know of them. */
export class Editors {
  private readonly sessions = new Map<string, SessionEditor>()

  constructor(private readonly seenFiles: SeenFiles) {}

  use(sessionId: string, files: EditorFiles, settleMs?: number): void {
    this.sessions.set(sessionId, new SessionEditor(files, settleMs))
  }

  forget(sessionId: string | undefined): void {
    if (sessionId !== undefined) this.sessions.delete(sessionId)
  }

  /** The text that an editor holds unsaved; undefined if the disk's counts. Throws STALE_BUFFER, ABORTED. */
  async read(
    agent: WorkspaceAgent | undefined,
    target: ResolvedPath,
    signal: AbortSignal | undefined,
  ): Promise<FileContent | undefined> {
    return this.with(agent, target, (editor, known) => editor.read(known, signal))
  }

  /** What the disk holds after an editor has saved these bytes; undefined if the caller is to write them. */
  async save(
    agent: WorkspaceAgent | undefined,
    target: ResolvedPath,
    bytes: Buffer,
    options: WriteOptions = {},
  ): Promise<Buffer | undefined> {
    const saved = await this.with(agent, target, (editor, known) => saveInEditor(editor, known, bytes, options))
    return saved?.bytes
  }

  /** The caller has written the disk instead of the editor. */
  async follow(agent: WorkspaceAgent | undefined, target: ResolvedPath, isStopped: boolean): Promise<void> {
    await this.with(agent, target, (editor, known) => editor.follow(known, isStopped))
  }

  private async with<T>(
    agent: WorkspaceAgent | undefined,
    target: ResolvedPath,
    work: (editor: SessionEditor, known: EditorTarget) => Promise<T>,
  ): Promise<T | undefined> {
    if (agent === undefined) return undefined
    const { sessionId } = agent
    const editor = this.sessions.get(sessionId)
    const editorPath = editor && (await toEditorPath(agent, target))
    if (editor === undefined || editorPath === undefined) return undefined
    return work(editor, { ...target, editorPath, seen: this.seenFiles.hashOf(sessionId, target.realPath) })
  }
}
