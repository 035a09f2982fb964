import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { ownFilesOf } from '../../../src/gates/permission/own-files.js'

const folder = resolve('/home/me/.config/deckhand')

const closed = (...sources: string[]) =>
  ownFilesOf({
    config: { plugins: sources.map(source => ({ source })) },
    configPath: join(folder, 'config.yml'),
    stateDir: resolve('/state'),
  }).flatMap(({ path, what }) => (what === "Deckhand's plugins" ? [path] : []))

it('plugins in the config’s folder are closed to tools: a changed one would run at the next start', () => {
  expect(closed('tidy', '@team/tool', './plugins/a.js', './own')).toEqual([
    join(folder, 'node_modules'),
    join(folder, 'plugins/a.js'),
    join(folder, 'own'),
  ])
})

it('a plugin elsewhere is a file like any other, and without plugins nothing more is closed', () => {
  expect(closed(resolve('/work/tidy'), '../tidy', '~/tidy.js', '.')).toEqual([])
  expect(closed()).toEqual([])
})
