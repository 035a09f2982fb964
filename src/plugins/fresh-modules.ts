import module, { createRequire } from 'node:module'
import { sep } from 'node:path'

/** Marks the address of a module with the load that it belongs to. */
const MARK = 'deckhand-load'

/**
 * Hands a module's mark on to what it imports of its own package, so that a reload reads all files of a plugin anew. What
 * comes from other packages stays as it is. One text for both kinds of hooks: in the thread, and in a worker.
 */
const HOOKS = `
const packageOf = url => /^.*\\/node_modules\\/(?:@[^/]+\\/)?[^/]+\\//.exec(url)?.[0]
function handOn(found, parent) {
  if (!found.url.startsWith('file:') || packageOf(found.url) !== packageOf(parent)) return found
  const url = new URL(found.url)
  url.searchParams.set('${MARK}', new URL(parent).searchParams.get('${MARK}'))
  return { ...found, url: url.href }
}
export function resolve(specifier, context, next) {
  const parent = context.parentURL
  const found = next(specifier, context)
  if (!parent?.includes('${MARK}=') || [...(context.conditions ?? [])].includes('require')) return found
  return typeof found.then === 'function' ? found.then(late => handOn(late, parent)) : handOn(found, parent)
}
`

type RegisterHooks = (hooks: { resolve: unknown }) => void

let hooked: Promise<void> | undefined

/**
 * Prepares for a package's files to be read again, and answers what to add to the entry's address. `load` is 0 for the
 * first time, which needs nothing; `root` is the package's folder.
 */
export async function makeFresh(root: string, load: number): Promise<string> {
  if (load === 0) return ''
  hooked ??= installHooks()
  await hooked
  forgetRequired(root)
  return `?${MARK}=${load}`
}

async function installHooks(): Promise<void> {
  const address = `data:text/javascript,${encodeURIComponent(HOOKS)}`
  // Node 22.15 and later; the older way starts a thread, and newer versions are about to drop it.
  const registerHooks = (module as { registerHooks?: RegisterHooks }).registerHooks
  if (registerHooks) registerHooks({ resolve: ((await import(address)) as { resolve: unknown }).resolve })
  else module.register(address)
}

/** CommonJS modules are kept by file, whatever their address. */
function forgetRequired(root: string): void {
  const { cache } = createRequire(import.meta.url)
  for (const path of Object.keys(cache)) {
    if (!path.startsWith(root + sep)) continue
    if (!path.slice(root.length).includes(`${sep}node_modules${sep}`)) delete cache[path]
  }
}
