import { execFile } from 'node:child_process'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand, withFreshOutput } from './support/commands.js'
import { codeBlocks, fileBlocks, readDocument, root } from './support/markdown.js'
import { playPrompts, withFreshCards } from './support/player.js'
import { openProject } from './support/project.js'

const NAME = 'docs/writing-a-tool.md'
const CLI = join(root, 'dist/cli.js')
const markdown = readDocument(NAME)

/** What `--plugin` takes for files of the project. */
const plugins = (project: string, ...files: string[]) => files.flatMap(file => ['--plugin', join(project, file)])

/** Runs a program of Node in a folder; resolves to what it printed, or rejects with it. */
function run(args: readonly string[], cwd: string): Promise<string> {
  // Without what tells a process that it is run by another test runner.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd, env }, (error, stdout, stderr) =>
      error ? reject(new Error(stdout + stderr)) : resolve(stdout),
    )
  })
}

it('shows in docs/writing-a-tool.md what its calls print and the cards of its prompts (vitest -u draws them anew)', async () => {
  const printed = await withFreshOutput(markdown)
  const args = (project: string) => plugins(project, 'sort-lines.js', 'check-syntax.js')
  await expect(await withFreshCards(printed, CLI, undefined, args)).toMatchFileSnapshot(join(root, NAME))
})

it('has no call that ends otherwise than its page says', async () => {
  const project = await openProject(fileBlocks(markdown))
  const lines = codeBlocks(markdown).flatMap(({ language, text }) => (language === 'sh' ? text.trim().split('\n') : []))
  const calls = lines.filter(line => line.startsWith('deckhand call'))
  const codes = []
  for (const line of calls) codes.push((await runCommand(line, project)).code)
  expect(codes).toEqual([0, 1])
  expect(lines).toContain('node --test sort-lines.test.js')
  expect(await run(['--test', '--test-reporter=tap', 'sort-lines.test.js'], project)).toMatch(/^# fail 0$/m)
})

it('gives a config that loads the plugin', async () => {
  const files = fileBlocks(markdown)
  const project = await openProject(files)
  const config = (files.get('config.yml') ?? '').replace('/home/me/my-tools', project)
  const configured = await openProject(new Map([...files, ['config/deckhand/config.yml', config]]))
  const { stdout, code } = await runCommand(`deckhand call sort_lines '{"path": "fruit.txt"}'`, configured)
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('+ fig') })
})

it('runs with the plugin that refuses calls, and the file stays', async () => {
  const project = await openProject(fileBlocks(markdown))
  const prompts = ['/write .env\n```\nKEY=1\n```', '/write notes.txt\n```\nok\n```']
  const played = await playPrompts(CLI, project, prompts, plugins(project, 'no-secrets.js'))
  expect(played.map(({ cards }) => cards.map(card => card.status))).toEqual([['failed'], ['completed']])
  expect(JSON.stringify(played[0]?.cards[0]?.content)).toContain('Files named .env stay as they are.')
})

it('runs the plugin that is a list of tools: a terminal with the output, marked as failed', async () => {
  const project = await openProject(fileBlocks(markdown))
  const prompts = ['/check_syntax broken.cjs', '/check_syntax sort-lines.js']
  const played = await playPrompts(CLI, project, prompts, plugins(project, 'check-syntax.js'))
  expect(played.map(({ cards }) => cards.map(({ status, title }) => [status, title]))).toEqual([
    [['failed', 'node --check broken.cjs']],
    [['completed', 'node --check sort-lines.js']],
  ])
  expect(JSON.stringify(played[0]?.cards)).toContain("SyntaxError: Identifier 'a' has already been declared")
})

it('answers /tools with the form of the new command', async () => {
  const project = await openProject(fileBlocks(markdown))
  const [played] = await playPrompts(CLI, project, ['/tools'], plugins(project, 'sort-lines.js'))
  expect(played?.answer).toContain('`/sort_lines PATH`: Sort the lines of a text file')
})

it('begins with a plugin whose test passes and whose tool draws a diff card', async () => {
  const project = await openProject()
  expect((await runCommand('deckhand create-plugin my-tools', project)).code).toBe(0)
  const folder = join(project, 'my-tools')
  expect(await readdir(join(folder, 'src'))).toContain('index.ts')
  // What npm install gives.
  await mkdir(join(folder, 'node_modules'))
  for (const name of ['typescript', '@types'])
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction')
  await symlink(root, join(folder, 'node_modules/deckhand'), 'junction')
  await run([join(root, 'node_modules/typescript/bin/tsc')], folder)
  expect(await run(['--test', '--test-reporter=tap', 'dist/index.test.js'], folder)).toMatch(/^# fail 0$/m)
})
