import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileBlocks, readDocument } from './support/markdown.js'
import { openProject } from './support/project.js'

/** A call of each tool that the documents show. */
const CALLS = {
  'docs/cards.md': {
    'outline.js': [{ args: { path: 'a.md' }, files: { 'a.md': 'text\n# One\n' } }],
    'run-script.js': [
      { args: { file: 'a.js' }, files: { 'a.js': 'console.log(1)' } },
      { args: { file: 'a.js' }, files: { 'a.js': 'process.exit(1)' }, expect: { code: 'SCRIPT_FAILED' } },
      { args: { file: 'a.js' }, files: { 'a.js': 'setInterval(() => {}, 1000)' }, untilStopped: true },
    ],
    'rename-word.js': [
      {
        args: { path: 'a', from: 'x', to: 'y' },
        files: { a: 'x\nx\n' },
        expect: { card: 'diff', files: { a: 'y\ny\n' } },
      },
      { args: { path: 'a', from: 'x', to: 'y' }, files: { a: 'z\n' }, expect: { code: 'NO_MATCH' } },
    ],
    'count-lines.js': [{ args: { paths: ['a', 'b'] }, files: { a: '1\n', b: '' }, expect: { text: 'a: 1' } }],
  },
  'docs/writing-a-tool.md': {
    'check-syntax.js': [
      { args: { file: 'a.js' }, files: { 'a.js': 'const a = 1' } },
      { args: { file: 'a.js' }, files: { 'a.js': 'const' }, expect: { code: 'SYNTAX_ERROR', card: 'terminal' } },
    ],
  },
}

it.each(Object.entries(CALLS))('the tools of %s keep the contract of tools', async (name, calls) => {
  const documented = [...fileBlocks(readDocument(name))].filter(([, text]) => text.includes('defineTool({'))
  const tested = documented.map(([file]) => file).filter(file => file !== 'sort-lines.js')
  expect(tested.sort()).toEqual(Object.keys(calls).sort())
  const project = await openProject(new Map([...documented, ['contract.test.js', toScript(calls)]]))
  expect(await runTests(join(project, 'contract.test.js'), project)).toMatch(/^# fail 0$/m)
})

function toScript(calls: Record<string, object[]>): string {
  const contracts = Object.entries(calls).map(
    ([file, samples]) => `check(await import(${JSON.stringify(`./${file}`)}), ${JSON.stringify(samples)})`,
  )
  return `import test from 'node:test'
import { toolContract } from 'deckhand/testing'
const check = (plugin, samples) => {
  const tool = plugin.tools?.[0] ?? plugin
  for (const { name, run } of toolContract(tool, samples)) test(name, run)
}
${contracts.join('\n')}
`
}

function runTests(file: string, cwd: string): Promise<string> {
  // Without what tells a process that it is run by another test runner.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined }
  return new Promise(resolve => {
    execFile(process.execPath, ['--test', '--test-reporter=tap', file], { cwd, env }, (_error, stdout) =>
      resolve(stdout),
    )
  })
}
