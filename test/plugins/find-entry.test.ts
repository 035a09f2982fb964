import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { findEntry } from '../../src/plugins/find-entry.js'
import { packageEntry } from '../../src/plugins/package-entry.js'

let root: string
let folder: string

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-entry-')))
  folder = join(root, 'config')
  await mkdir(folder)
  onTestFinished(() => rm(root, { recursive: true, force: true }))
})

async function put(name: string, content = ''): Promise<string> {
  const path = join(root, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  return path
}

const find = async (source: string) => (await findEntry(source, { folder, home: root })).path
const reason = (source: string) => find(source).then(String, (error: { code: string; message: string }) => error)

it('a package comes from the config folder’s own node_modules, and never from a folder above it', async () => {
  await put('node_modules/above/index.js')
  await put('config/node_modules/@team/tool/package.json', '{"name":"@team/tool","exports":"./main.js"}')
  const entry = await put('config/node_modules/@team/tool/main.js')
  expect(await findEntry('@team/tool', { folder, home: root })).toEqual({
    path: entry,
    root: dirname(entry),
    packageName: '@team/tool',
  })
  const error = await reason('above')
  expect(error).toMatchObject({ code: 'PLUGIN_FAILED' })
  expect(error).toMatchObject({
    message: expect.stringContaining(`npm install --prefix ${JSON.stringify(folder)} above`),
  })
})

it('a relative path starts from the config’s folder, ~ from home, and a link is followed', async () => {
  const file = await put('config/plugins/a.js')
  const own = await put('own.js')
  await symlink(file, join(root, 'linked.js'))
  expect(await find('./plugins/a.js')).toBe(file)
  expect(await find('~/own.js')).toBe(own)
  expect(await find('../own.js')).toBe(own)
  expect(await find(join(root, 'linked.js'))).toBe(file)
})

it('a folder stands for what its package.json exports', async () => {
  await put('plug/package.json', '{"exports":{".":{"types":"./x.d.ts","import":"./dist/index.js"}}}')
  expect(await reason(join(root, 'plug'))).toMatchObject({ message: expect.stringContaining('npm run build') })
  const built = await put('plug/dist/index.js')
  expect(await find(join(root, 'plug'))).toBe(built)
})

it.each([
  ['./gone.js', 'does not exist'],
  ['two words', 'neither a package’s name nor a path'.replace('’', "'")],
  ['../x/../../etc', 'does not exist'],
  ['./broken', 'is no JSON object'],
])('what cannot be found is said for %s', async (source, words) => {
  await put('config/broken/package.json', '[')
  expect(await reason(source)).toMatchObject({ code: 'PLUGIN_FAILED', message: expect.stringContaining(words) })
})

it('TypeScript is refused with what to do, where Node cannot import it', async () => {
  await put('config/a.ts')
  const canImport = Boolean((process.features as { typescript?: unknown }).typescript)
  if (canImport) expect(await find('./a.ts')).toBe(join(folder, 'a.ts'))
  else expect(await reason('./a.ts')).toMatchObject({ message: expect.stringContaining('Build the plugin') })
})

it('without a config file only absolute paths are found', async () => {
  const nowhere = { folder: undefined, home: root }
  await expect(findEntry('./a.js', nowhere)).rejects.toMatchObject({ code: 'PLUGIN_FAILED' })
  await expect(findEntry('name', nowhere)).rejects.toMatchObject({ code: 'PLUGIN_FAILED' })
  const file = await put('a.js')
  expect((await findEntry(file, nowhere)).path).toBe(file)
})

it.each([
  [{}, 'index.js'],
  [{ main: 'lib/a.js' }, 'lib/a.js'],
  [{ exports: './a.js', main: 'b.js' }, './a.js'],
  [{ exports: { require: './a.cjs', default: './b.js' } }, './b.js'],
  [{ exports: { '.': { node: { require: './a.cjs', import: './b.js' } } } }, './b.js'],
  [{ exports: { '.': [{ browser: './a.js' }, './b.js'] } }, './b.js'],
  [{ exports: { './sub': './a.js' } }, undefined],
  [{ exports: '/etc/a.js' }, undefined],
])('the entry of a package is what an import of it gives: %j', (manifest, entry) => {
  expect(packageEntry(manifest)).toBe(entry)
})
