import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, extname, isAbsolute, join, resolve } from 'node:path'
import { HarnessError } from '../cards/index.js'
import { packageEntry } from './package-entry.js'

/** From where the user's plugins are looked for. */
export interface PluginPlace {
  /** The config file's folder, absolute; undefined if there is none. */
  readonly folder: string | undefined
  /** The user's home directory, absolute. */
  readonly home: string
}

export interface PluginEntry {
  /** Of the file to import: absolute, without links. */
  readonly path: string
  /** The folder that is the plugin's own: its package, else the file's folder. */
  readonly root: string
  /** The package's name, if there is one. */
  readonly packageName: string | undefined
}

const PACKAGE_NAME = /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*$/

/**
 * The file behind an entry of the config's list. A package is looked for in the config folder's own node_modules and nowhere
 * above it, a relative path from that folder. Throws PLUGIN_FAILED, whose message names the next step.
 */
export async function findEntry(source: string, { folder, home }: PluginPlace): Promise<PluginEntry> {
  const target = isPath(source) ? toPath(source, folder, home) : await toPackageFolder(source, folder)
  const found = await stat(target).catch(() => undefined)
  if (found === undefined)
    throw failure(target === source ? 'There is no such file or folder.' : `${target} does not exist.`)
  const path = await realpath(found.isDirectory() ? await entryOf(target) : target)
  checkLanguage(path)
  return { path, ...(await ownerOf(path)) }
}

/** False for the name of a package. */
function isPath(source: string): boolean {
  return /^(?:\.|~|[\\/])/.test(source) || isAbsolute(source)
}

function toPath(source: string, folder: string | undefined, home: string): string {
  if (/^~[\\/]/.test(source)) return join(home, source.slice(2))
  if (isAbsolute(source)) return source
  if (folder === undefined) throw failure(`${source} is relative, and there is no config file to start from.`)
  return resolve(folder, source)
}

async function toPackageFolder(name: string, folder: string | undefined): Promise<string> {
  if (!PACKAGE_NAME.test(name)) {
    throw failure(
      `${JSON.stringify(name)} is neither a package's name nor a path; a path begins with ./ or is absolute.`,
    )
  }
  if (folder === undefined) throw failure(`The package ${name} needs a config file beside its node_modules.`)
  const target = join(folder, 'node_modules', ...name.split('/'))
  if ((await stat(target).catch(() => undefined))?.isDirectory()) return target
  throw failure(`The package ${name} is not installed there: npm install --prefix ${JSON.stringify(folder)} ${name}`)
}

async function entryOf(folder: string): Promise<string> {
  const manifest = await readManifest(folder)
  const entry = packageEntry(manifest ?? {})
  if (entry === undefined) throw failure(`The package.json in ${folder} exports nothing that can be imported.`)
  const path = resolve(folder, entry)
  if ((await stat(path).catch(() => undefined))?.isFile()) return path
  throw failure(`${path} does not exist. If the plugin has to be built: npm run build, in ${folder}`)
}

function checkLanguage(path: string): void {
  if (!/^\.[cm]?tsx?$/.test(extname(path))) return
  if ((process.features as { typescript?: unknown }).typescript) return
  throw failure(
    `Node ${process.versions.node} cannot import TypeScript (${path}). Build the plugin, and name the JavaScript or its folder.`,
  )
}

async function ownerOf(path: string): Promise<Pick<PluginEntry, 'root' | 'packageName'>> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const manifest = await readManifest(folder)
    if (manifest !== undefined) {
      return { root: folder, packageName: typeof manifest.name === 'string' ? manifest.name : undefined }
    }
    if (dirname(folder) === folder) return { root: dirname(path), packageName: undefined }
  }
}

async function readManifest(folder: string): Promise<Record<string, unknown> | undefined> {
  const path = join(folder, 'package.json')
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const manifest: unknown = JSON.parse(text)
    if (typeof manifest === 'object' && manifest !== null) return manifest as Record<string, unknown>
  } catch {}
  throw failure(`${path} is no JSON object.`)
}

function failure(message: string): HarnessError {
  return new HarnessError('PLUGIN_FAILED', message)
}
