/**
 * The files of an editor, whose buffers may hold text that is not saved. Paths are absolute. Every call is bounded in time;
 * each throws EDITOR_FAILED if the editor refuses, does not answer or is gone, and ABORTED.
 */
export interface EditorFiles {
  /** The buffer's text, in the editor's line endings; undefined if the editor has no such file. */
  read(path: string, signal?: AbortSignal): Promise<string | undefined>
  /** Has the editor take over the text and save it. False if it does not serve this path. After a throw it may still save. */
  write(path: string, text: string, signal?: AbortSignal): Promise<boolean>
  /** Whether a text is small enough to be handed to the editor. */
  carries(text: string): boolean
}
