import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, type Options } from 'tsup'
import type { TestProject } from 'vitest/node'
import configs from '../../tsup.config.js'

const root = resolve(import.meta.dirname, '../..')
const PUBLIC = ['index.ts', 'registry/library.ts', 'registry/types.ts', 'plugins/types.ts', 'testing/types.ts']

/** Has dist up to date where one of the tests that run needs it. */
export default async function buildForTests(project: TestProject): Promise<void> {
  // Not in the types: the names on the command line, undefined where all tests run.
  const { filenamePattern } = project.vitest as { filenamePattern?: string[] }
  const { testFiles } = await project.globTestFiles(filenamePattern)
  if (testFiles.some(path => /[\\/]test[\\/](binary|docs)[\\/]/.test(path))) await buildWhenStale()
}

/** Builds dist if a source is newer, so that the tests over the built binary never run an old one. */
async function buildWhenStale(): Promise<void> {
  const built = ['cli.js', 'index.js', 'host.js', 'testing.js'].map(name => modifiedMs(join(root, 'dist', name)))
  const isStale = Math.min(...built) < newestMs(join(root, 'src'))
  // Declarations take ten times as long as the code: they are made if one is missing, or what authors import has changed.
  const declared = ['index.d.ts', 'testing.d.ts'].map(name => modifiedMs(join(root, 'dist', name)))
  const needsTypes = Math.min(...declared) < Math.max(...PUBLIC.map(name => modifiedMs(join(root, 'src', name))))
  if (!isStale && !needsTypes) return
  for (const options of configs as Options[]) {
    const dts = needsTypes && options.dts === true
    // Not cleaned: another run may have the old chunks in use.
    await build({ ...options, config: false, clean: false, silent: true, dts })
  }
}

function modifiedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function newestMs(directory: string): number {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'))
  return Math.max(...files.map(name => modifiedMs(join(directory, name))))
}
