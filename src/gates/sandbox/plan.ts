/** What one command may see and change. Paths are absolute, and free of links but for `cwd` and `links.at`. */
export interface SandboxPlan {
  /** Where the command runs, as it can be reached inside. */
  readonly cwd: string
  readonly network: boolean
  /** Parts of /proc through which root could change the kernel or read its memory. */
  readonly kernelFiles: { readonly readOnly: readonly string[]; readonly hidden: readonly string[] }
  /** System folders full of sockets, shown empty. */
  readonly emptied: readonly string[]
  /** The places for temporary files, and the session's own folder that stands for them; without one they are empty for each command. */
  readonly temporary: { readonly at: readonly string[]; readonly folder?: string }
  /** Stays readable in places that are emptied or temporary. */
  readonly shown: readonly string[]
  /** Parents first. */
  readonly writable: readonly string[]
  /** Links through which the session spells its roots, where a place that was emptied has lost them. */
  readonly links: readonly { readonly at: string; readonly to: string }[]
  /** Within what is writable. */
  readonly readOnly: readonly string[]
  /** Folders that do not exist and must not come to hold anything. */
  readonly keptEmpty: readonly string[]
  /** None lies inside another. */
  readonly hidden: { readonly folders: readonly string[]; readonly files: readonly string[] }
}
