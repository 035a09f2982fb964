import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { keepCompiled } from '../../src/cli/compile-cache.js'
import { version } from '../../src/version.js'

async function makeRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'deckhand-compiled-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  return root
}

it('compiled code is kept in the state directory, by version and for its owner alone, where Node can', async () => {
  const stateDir = join(await makeRoot(), 'state')
  const asked: string[] = []
  keepCompiled(stateDir, { enableCompileCache: (directory: string) => asked.push(directory) })
  const directory = join(stateDir, 'compile-cache', version)
  expect(asked).toEqual([directory])
  if (process.platform === 'win32') return
  for (const path of [stateDir, directory]) expect((await stat(path)).mode & 0o777).toBe(0o700)
})

it('a Node that cannot makes no directory, and a state directory that is none costs nothing but the cache', async () => {
  const root = await makeRoot()
  keepCompiled(join(root, 'state'), {})
  await expect(stat(join(root, 'state'))).rejects.toThrow('ENOENT')
  await writeFile(join(root, 'file'), '')
  const asked: string[] = []
  keepCompiled(join(root, 'file'), { enableCompileCache: (directory: string) => asked.push(directory) })
  expect(asked).toEqual([])
})
