import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toolCatalog } from '../../src/registry/index.js'
import { isKnownEventType } from '../../src/session/event-shape.js'
import { readLog } from '../../src/session/index.js'
import { runCommand } from './support/commands.js'
import { codeBlocks, documents, fileBlocks, readDocument, root } from './support/markdown.js'
import { openProject } from './support/project.js'

interface Packages {
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  devDependencies: Record<string, string>
}

const { dependencies, optionalDependencies, devDependencies } = JSON.parse(readDocument('package.json')) as Packages

describe('names in the documents', () => {
  it('are of files that exist', () => {
    const pages = documents().filter(name => !/^src\/(?!bridge|cli)/.test(name))
    const named = pages.flatMap(name =>
      [...readDocument(name).matchAll(/`((?:src|test|docs|fixtures)\/[\w./-]*)`/g)].map(([, path = '']) => ({
        name,
        path,
      })),
    )
    expect(named.filter(({ name }) => name === 'docs/architecture.md').length).toBeGreaterThan(40)
    expect(named.filter(({ path }) => path !== 'src/greet.js' && !existsSync(join(root, path)))).toEqual([])
  })

  it('include every dependency with its version, and no other', () => {
    const rows = [...readDocument('docs/dependencies.md').matchAll(/^\| `([^`]+)` \| (\S+) \|/gm)]
    const named = Object.fromEntries(rows.map(([, name, version]) => [name, version]))
    expect(named).toEqual({ ...dependencies, ...optionalDependencies, ...devDependencies })
  })

  it('include every event of the log, and no other', () => {
    const section = readDocument('docs/sessions.md').split('| event | meaning |')[1] ?? ''
    const named = [...section.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)])
    const types = named.map(([, type = '']) => type)
    const source = readDocument('src/session/events.ts').split('export interface SessionHeader')[0] ?? ''
    expect(types.sort()).toEqual([...source.matchAll(/\btype: '([^']+)'/g)].map(([, type]) => type).sort())
    expect(types.filter(type => !isKnownEventType(type))).toEqual([])
  })

  it('include every folder of the sources', () => {
    const architecture = readDocument('docs/architecture.md')
    const folders = new Set(documents().map(name => /^src\/(\w+)\/README\.md$/.exec(name)?.[1]))
    folders.delete(undefined)
    expect(folders.size).toBeGreaterThanOrEqual(6)
    expect([...folders].filter(folder => !architecture.includes(`src/${folder}/`))).toEqual([])
  })
})

describe('dependencies', () => {
  it('run no script when they are installed', () => {
    const { packages } = JSON.parse(readDocument('package-lock.json')) as {
      packages: Record<string, { dev?: boolean; hasInstallScript?: boolean; resolved?: string }>
    }
    const shipped = Object.entries(packages).filter(([, entry]) => !entry.dev)
    expect(shipped.length).toBeGreaterThan(Object.keys(dependencies).length)
    expect(shipped.filter(([, entry]) => entry.hasInstallScript).map(([name]) => name)).toEqual([])
  })
})

describe('docs/tool-catalog/tools.md', () => {
  it('is what the registered tools give (vitest -u writes it anew)', async () => {
    const { stdout } = await runCommand('deckhand tools --json', await openProject())
    const catalog = toolCatalog(JSON.parse(stdout))
    await expect(catalog).toMatchFileSnapshot(join(root, 'docs/tool-catalog/tools.md'))
  })
})

describe('docs/sessions.md', () => {
  it('shows a log that is read without a warning', async () => {
    const files = fileBlocks(readDocument('docs/sessions.md'))
    const [name = ''] = [...files.keys()].filter(file => file.endsWith('.jsonl'))
    const project = await openProject(files)
    const reading = await readLog(join(project, name))
    let count = 0
    for await (const events of reading.batches) count += events.length
    expect(count).toBe((files.get(name)?.trim().split('\n').length ?? 0) - 1)
    expect(reading.warnings).toEqual([])
    expect(reading.closing()).toEqual([])
  })

  it('has commands that run on that log', async () => {
    const markdown = readDocument('docs/sessions.md')
    const log = [...fileBlocks(markdown)].map(([name, text]): [string, string] => [`state/sessions/${name}`, text])
    const project = await openProject(new Map(log))
    const lines = codeBlocks(markdown)
      .filter(({ language }) => language === 'sh')
      .flatMap(({ text }) => text.trim().split('\n'))
    expect(lines.length).toBe(6)
    const ended: { line: string; code: number; lines: number }[] = []
    for (const line of lines) {
      const { stdout, code } = await runCommand(line, project)
      ended.push({ line, code, lines: stdout.trim().split('\n').length })
    }
    expect(ended.filter(({ code }) => code !== 0)).toEqual([])
    expect(ended.map(entry => entry.lines)).toEqual([1, 1, 9, 3, 1, 1])
  })
})
