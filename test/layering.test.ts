import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

const source = resolve(import.meta.dirname, '../src')

interface Import {
  file: string
  folder: string
  specifier: string
  /** First folder below src of a relative import; undefined for a package. */
  target?: string
  typeOnly: boolean
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .map(file => file.split(sep).join('/'))

const imports: Import[] = files.flatMap(file => {
  const text = readFileSync(join(source, file), 'utf8')
  const statements = text.matchAll(
    /^\s*(import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm,
  )
  return [...statements].map(match => {
    const specifier = match[3] ?? match[4] ?? ''
    const target = specifier.startsWith('.')
      ? relative(source, resolve(source, dirname(file), specifier)).split(sep)[0]
      : undefined
    return { file, folder: file.split('/')[0] ?? '', specifier, target, typeOnly: match[2] !== undefined }
  })
})

const allowed: Record<string, string[]> = {
  cards: [],
  config: ['cards'],
  network: ['cards'],
  registry: ['cards'],
  workspace: ['cards'],
  session: ['cards', 'registry'],
  tools: ['registry', 'cards', 'workspace', 'network'],
  gates: ['registry', 'cards', 'workspace', 'config'],
  mcp: ['registry', 'cards', 'workspace', 'network', 'config'],
  plugins: ['registry', 'cards'],
  testing: ['registry', 'cards', 'workspace'],
  agent: ['registry', 'session', 'cards', 'workspace', 'network', 'config'],
  bridge: [
    'config',
    'agent',
    'session',
    'tools',
    'gates',
    'mcp',
    'plugins',
    'registry',
    'workspace',
    'cards',
    'version.js',
  ],
  cli: ['config', 'bridge', 'tools', 'gates', 'cards', 'version.js'],
}

const offenders = (test: (entry: Import) => boolean) =>
  imports.filter(test).map(({ file, specifier }) => `${file} -> ${specifier}`)

const isPackage = (specifier: string, name: string) => specifier === name || specifier.startsWith(`${name}/`)

describe('layering', () => {
  it('finds imports at all, so that the rules below can fail', () => {
    expect(imports.length).toBeGreaterThan(100)
    expect(
      offenders(entry => entry.folder === 'bridge' && isPackage(entry.specifier, '@agentclientprotocol/sdk')),
    ).not.toEqual([])
  })

  it('lets each folder import only the folders below it', () => {
    const wrong = offenders(({ folder, target }) => {
      if (target === undefined || target === folder || target === '..') return false
      const may = allowed[folder]
      return may !== undefined && !may.includes(target)
    })
    expect(wrong).toEqual([])
  })

  it('imports of the registry by the session are types only', () => {
    expect(offenders(entry => entry.folder === 'session' && entry.target === 'registry' && !entry.typeOnly)).toEqual([])
  })

  it('keeps the tools apart, and the gates', () => {
    const wrong = offenders(({ file, folder, specifier, target }) => {
      if ((folder !== 'tools' && folder !== 'gates') || target !== folder) return false
      const parts = file.split('/')
      // The list of shipped tools names each of them.
      if (parts.length === 2) return false
      const own = resolve(source, folder, parts[1] ?? '')
      return !resolve(source, dirname(file), specifier).startsWith(own + sep)
    })
    expect(wrong).toEqual([])
  })

  it('crosses folders through index.js, a contract file or what is for authors', () => {
    const wrong = offenders(({ folder, target, specifier }) => {
      if (target === undefined || target === folder || target === '..' || target.endsWith('.js')) return false
      // Single files where a start would otherwise load a whole folder for one function.
      if (/\/(cards\/(errors|one-line)|session\/state-dir)\.js$/.test(specifier)) return false
      return !/\/(index|types|events|driver|library)\.js$/.test(specifier)
    })
    expect(wrong).toEqual([])
  })

  it.each([
    ['@agentclientprotocol/sdk', (file: string) => file.startsWith('bridge/') || file.startsWith('cli/demo/')],
    ['diff', (file: string) => file.startsWith('cards/')],
    ['@modelcontextprotocol', (file: string) => file.startsWith('mcp/')],
    ['@ai-sdk', (file: string) => file.startsWith('agent/model/')],
    ['undici', (file: string) => file.startsWith('network/')],
    [
      'node:child_process',
      (file: string) =>
        /^workspace\/launch/.test(file) ||
        file.startsWith('mcp/') ||
        file.startsWith('cli/demo/') ||
        file === 'cli/guard-children.ts',
    ],
  ])('imports %s only where it belongs', (name, isHome) => {
    expect(offenders(entry => isPackage(entry.specifier, name) && !isHome(entry.file))).toEqual([])
  })

  it('lets no tool open files by itself', () => {
    expect(offenders(entry => entry.folder === 'tools' && /^(node:)?fs(\/promises)?$/.test(entry.specifier))).toEqual(
      [],
    )
  })

  it.each([
    [/process\.cwd\(/, (file: string) => file.startsWith('cli/')],
    [/process\.chdir\(/, () => false],
    [/console\.(log|info)\(|process\.stdout/, (file: string) => file.startsWith('bridge/') || file.startsWith('cli/')],
  ])('has %s only where it belongs', (pattern, isHome) => {
    const wrong = files.filter(file => !isHome(file) && pattern.test(readFileSync(join(source, file), 'utf8')))
    expect(wrong).toEqual([])
  })
})
