import { scanWorkspace, type WorkspaceScan } from './scan-workspace.js'

/** A burst of commands looks at the workspace once. */
const FRESH_MS = 3000
const MAX_ROOTS = 50

/** Scans of workspaces, each kept for a moment. */
export class WorkspaceScans {
  readonly #scans = new Map<string, { readonly madeAtMs: number; readonly scan: Promise<WorkspaceScan> }>()

  get(root: string): Promise<WorkspaceScan> {
    const known = this.#scans.get(root)
    if (known && performance.now() - known.madeAtMs < FRESH_MS) return known.scan
    this.#scans.delete(root)
    const oldest = this.#scans.keys().next().value
    if (this.#scans.size >= MAX_ROOTS && oldest !== undefined) this.#scans.delete(oldest)
    const scan = scanWorkspace(root)
    this.#scans.set(root, { madeAtMs: performance.now(), scan })
    return scan
  }

  /** The workspaces have changed in what a scan looks for. */
  forget(): void {
    this.#scans.clear()
  }
}
