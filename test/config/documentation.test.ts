import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defaultConfig } from '../../src/config/index.js'
import { readConfigText } from '../../src/config/read-config-text.js'
import { configSchema } from '../../src/config/schema.js'

const page = readFileSync(resolve(import.meta.dirname, '../../docs/configuration.md'), 'utf8')

describe('docs/configuration.md', () => {
  it('has an example that loads', () => {
    const example = /```yaml config\.yml\n(.*?)```/s.exec(page)?.[1] ?? ''
    const { config, problems } = readConfigText(example)
    expect(problems).toEqual([])
    expect(config.permissions.commands.deny).toContain('rm *')
    expect(config.hooks).toMatchObject([{ event: 'after', effects: ['writes'], timeoutMs: 20_000 }])
    expect(config.sandbox).toMatchObject({ mode: 'auto', write: ['~/.cache/tool'] })
  })

  it('names every setting', () => {
    const missing = settingNames(configSchema).filter(name => !new RegExp(`\\b${name}\\b`).test(page))
    expect(missing).toEqual([])
    expect(settingNames(configSchema).length).toBeGreaterThan(25)
  })

  it('names the default of each number', () => {
    const { timeouts, checkpoints } = defaultConfig()
    for (const value of [timeouts.callMs, checkpoints.maxBytes]) expect(page).toContain(String(value))
  })
})

/** The keys of a schema and of the sections one level below. */
function settingNames(schema: { shape: object }): string[] {
  return Object.entries(schema.shape).flatMap(([name, inner]) => {
    let bare = inner as { def?: { innerType?: unknown }; shape?: object }
    while (bare.def?.innerType) bare = bare.def.innerType as typeof bare
    return [name, ...Object.keys(bare.shape ?? {})]
  })
}
