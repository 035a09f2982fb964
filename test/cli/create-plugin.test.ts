import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { createPlugin } from '../../src/cli/create-plugin/create-plugin.js'
import { toAgentPluginPath } from '../../src/cli/plugin-option.js'

let cwd: string

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'deckhand-create-'))
  onTestFinished(() => rm(cwd, { recursive: true, force: true }))
})

it('a new plugin names exact versions of what it needs, this one among them', async () => {
  const folder = await createPlugin('@team/tidy', { cwd })
  expect(folder).toBe(join(cwd, 'tidy'))
  const { name, dependencies, devDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const own = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8'))
  expect(name).toBe('@team/tidy')
  expect(dependencies).toEqual({ deckhand: own.version })
  for (const version of Object.values(devDependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
})

it('nothing is overwritten: what is there stays, and nothing is added', async () => {
  await mkdir(join(cwd, 'full'))
  await writeFile(join(cwd, 'full/README.md'), 'mine')
  await expect(createPlugin('full', { cwd })).rejects.toThrow('not empty')
  await expect(createPlugin('new', { cwd, dir: 'full/README.md' })).rejects.toThrow('is a file')
  expect(await readFile(join(cwd, 'full/README.md'), 'utf8')).toBe('mine')
})

it.each(['', 'Two Words', '../up', '-x', '@a', 'a/b', "x'; rm", 'a'.repeat(300)])('%j is no name', async name => {
  await expect(createPlugin(name, { cwd })).rejects.toThrow('no name for a package')
})

it.each(['node_modules', '@a/node_modules', 'deckhand', 'fs', 'con', 'nul.js', 'com1', 'favicon.ico', 'a.'])(
  '%j is a name for something else',
  async name => {
    await expect(createPlugin(name, { cwd })).rejects.toThrow('take another')
    expect(await readdir(cwd)).toEqual([])
  },
)

it('a link is not followed: what a repository holds may lead anywhere', async () => {
  await mkdir(join(cwd, 'elsewhere'))
  await symlink(join(cwd, 'elsewhere'), join(cwd, 'tidy'), 'junction')
  await symlink(join(cwd, 'nowhere'), join(cwd, 'gone'), 'junction')
  await expect(createPlugin('tidy', { cwd })).rejects.toThrow('a link to another place')
  await expect(createPlugin('gone', { cwd })).rejects.toThrow('a link to another place')
  expect(await readdir(join(cwd, 'elsewhere'))).toEqual([])
})

it('--plugin of the agent takes no relative path: the editor may start it in a repository', () => {
  expect(() => toAgentPluginPath('./plugin.js')).toThrow('absolute')
  expect(() => toAgentPluginPath('plugin')).toThrow('absolute')
  expect(toAgentPluginPath(join(cwd, 'plugin.js'))).toBe(join(cwd, 'plugin.js'))
})
