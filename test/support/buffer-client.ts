import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { RequestError } from '@agentclientprotocol/sdk'
import type { EditorFiles } from '../../src/workspace/index.js'

interface OpenBuffer {
  /** LF, without a mark. */
  text: string
  /** What the disk had when it was loaded or saved. */
  saved: string
  hasMark: boolean
  isCrlf: boolean
  /** The text that was last handed out: a write is merged into the buffer as a change of it. */
  given?: string
}

export interface BufferOptions {
  /** What runs on a text when it is saved. */
  format?: (text: string) => string
  /** False: buffers that nobody typed into are not loaded again when the file changes. */
  reloads?: boolean
  /** False: a write changes the buffer only. */
  saves?: boolean
  /** `verbatim`: text comes and goes with the file's own mark and line endings. */
  spelling?: 'lf' | 'verbatim'
  /** Whether the mark is handed out in front of LF text. */
  showsMark?: boolean
  /** Paths that this editor has no file of: not found, for read and write. */
  knows?: (path: string) => boolean
  /** Called when a request comes in, before anything is done; may throw, or wait. */
  onRequest?: (request: EditorRequest) => void | Promise<void>
}

export interface EditorRequest {
  method: 'read' | 'write'
  path: string
  text?: string
}

/**
 * An editor that keeps files in buffers as Zed does: LF inside, mark and line endings kept for the file, text typed while an
 * agent writes merged, saved in place. Speaks as `EditorFiles`, or as a client of the protocol by way of `handle`.
 */
export class BufferEditor implements EditorFiles {
  readonly requests: EditorRequest[] = []
  readonly #buffers = new Map<string, OpenBuffer>()

  constructor(public options: BufferOptions = {}) {}

  /** The buffer's text, LF. */
  textOf(path: string): string | undefined {
    return this.#buffers.get(path)?.text
  }

  /** The user types: the buffer now holds this, and nothing is saved. */
  type(path: string, text: string): void {
    this.#open(path).text = text
  }

  /** The user saves. */
  save(path: string): void {
    const buffer = this.#open(path)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, toFile(buffer))
    buffer.saved = buffer.text
  }

  /** The user takes the disk's text. */
  reload(path: string): void {
    this.#buffers.delete(path)
    this.#open(path)
  }

  async read(path: string): Promise<string | undefined> {
    await this.#take({ method: 'read', path })
    if (this.options.knows?.(path) === false) return undefined
    const buffer = this.#open(path)
    buffer.given = buffer.text
    if (this.options.spelling === 'verbatim') return toFile(buffer)
    return this.options.showsMark && buffer.hasMark ? `\uFEFF${buffer.text}` : buffer.text
  }

  async write(path: string, text: string): Promise<boolean> {
    const buffer = this.#buffers.get(path)
    await this.#take({ method: 'write', path, text })
    if (this.options.knows?.(path) === false) return false
    this.#replace(buffer ?? this.#open(path), text)
    if (this.options.saves !== false) this.save(path)
    return true
  }

  carries(): boolean {
    return true
  }

  /** Answers as a client: `result` of the protocol's method, or an error of it. */
  async handle(method: EditorRequest['method'], params: { path: string; content?: string }) {
    if (method === 'read') {
      const content = await this.read(params.path)
      if (content === undefined) throw RequestError.resourceNotFound(params.path)
      return { content }
    }
    if (!(await this.write(params.path, params.content ?? ''))) throw RequestError.resourceNotFound(params.path)
    return {}
  }

  async #take(request: EditorRequest): Promise<void> {
    this.requests.push(request)
    await this.options.onRequest?.(request)
  }

  #open(path: string): OpenBuffer {
    const known = this.#buffers.get(path)
    const isDirty = known !== undefined && known.text !== known.saved
    if (known && (isDirty || this.options.reloads === false || !existsSync(path))) return known
    const raw = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const text = raw.replace(/^\uFEFF/, '')
    const lf = text.replaceAll('\r\n', '\n')
    const loaded = { text: lf, saved: lf, hasMark: raw !== text, isCrlf: lf !== text }
    const buffer = Object.assign(known ?? loaded, loaded)
    this.#buffers.set(path, buffer)
    return buffer
  }

  // What the user typed in front of the text since it was handed out stays in front.
  #replace(buffer: OpenBuffer, text: string): void {
    const body = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
    const typed =
      buffer.given !== undefined && buffer.text.endsWith(buffer.given)
        ? buffer.text.slice(0, buffer.text.length - buffer.given.length)
        : ''
    const merged = typed + body
    buffer.text = this.options.format?.(merged) ?? merged
    buffer.given = buffer.text
  }
}

function toFile({ text, hasMark, isCrlf }: OpenBuffer): string {
  return (hasMark ? '\uFEFF' : '') + (isCrlf ? text.replaceAll('\n', '\r\n') : text)
}
