import { expect, it } from 'vitest'
import { readConfigText } from '../../src/config/read-config-text.js'

it('plugins are names and paths, alone or with a config', () => {
  const { config, problems } = readConfigText(`
plugins:
  - tidy
  - ./own.js
  - name: "@team/tool"
    config: { words: [a, b] }
  - path: plugins/other.js
  - path: ~/elsewhere
`)
  expect(problems).toEqual([])
  expect(config.plugins).toEqual([
    { source: 'tidy' },
    { source: './own.js' },
    { source: '@team/tool', config: { words: ['a', 'b'] } },
    { source: './plugins/other.js' },
    { source: '~/elsewhere' },
  ])
})

it('an entry that is neither is named with its line, and the others are kept: a gate among them holds', () => {
  const { config, problems } = readConfigText('plugins:\n  - gate\n  - nme: x\n')
  expect(problems).toMatchObject([
    { line: 3, text: expect.stringMatching(/^plugins\[2\]: expected the name of a package/) },
  ])
  expect(config.plugins).toEqual([{ source: 'gate' }])
  expect(config.strict).toBe(true)
})
