import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/**
 * Builds folders or files of src, for programs that tests start in processes of their own; to be called in the body of a
 * suite. Gives the directory, with `name.js` for each, once a test runs.
 */
export function useBuiltSources(entries: Record<string, string>): () => string {
  let directory = ''
  beforeAll(async () => {
    const { build } = await import('vite')
    // Where Node finds the packages, and any user may read.
    const cache = join(root, 'node_modules/.cache')
    mkdirSync(cache, { recursive: true })
    directory = mkdtempSync(join(cache, 'built-sources-'))
    chmodSync(directory, 0o755)
    const input = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, 'src', path)]))
    await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        ssr: true,
        target: 'node20',
        outDir: directory,
        emptyOutDir: false,
        rolldownOptions: { input, output: { entryFileNames: '[name].js' } },
      },
    })
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  return () => directory
}
