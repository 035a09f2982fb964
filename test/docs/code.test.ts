import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { fileBlocks, readDocument, root } from './support/markdown.js'
import { openProject } from './support/project.js'

const NAMES = ['README.md', 'docs/cards.md', 'docs/plugins.md', 'docs/writing-a-tool.md']

it('has only code in its documents and examples that the compiler accepts against the sources', async () => {
  const documented = NAMES.flatMap(name => {
    const files = [...fileBlocks(readDocument(name))].filter(([file]) => file.endsWith('.js'))
    return files.map(([file, text]): [string, string] => [join(name, file), text])
  })
  const examples = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.js'))
    .map((name): [string, string] => [join('examples', name), readFileSync(join(root, 'examples', name), 'utf8')])
  const scripts = [...documented, ...examples]
  expect(documented.length).toBeGreaterThanOrEqual(8)
  expect(examples.length).toBeGreaterThanOrEqual(7)
  const project = await openProject(new Map(scripts))
  const options: ts.CompilerOptions = {
    ...compilerOptions(),
    allowJs: true,
    checkJs: true,
    baseUrl: root,
    paths: {
      deckhand: ['src/index.ts'],
      'deckhand/host': ['src/host.ts'],
      'deckhand/testing': ['src/testing/index.ts'],
    },
    typeRoots: [join(root, 'node_modules/@types')],
  }
  const program = ts.createProgram(
    scripts.map(([file]) => join(project, file)),
    options,
  )
  const problems = scripts.flatMap(([file]) => {
    const source = program.getSourceFile(join(project, file))
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText, start = 0 }) => {
        const line = source === undefined ? 0 : source.getLineAndCharacterOfPosition(start).line + 1
        return `${file}:${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
      },
    )
  })
  expect(problems).toEqual([])
})

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  return ts.convertCompilerOptionsFromJson(config.compilerOptions, root).options
}
