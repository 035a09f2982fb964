import { join } from 'node:path'
import { split } from 'shlex'
import { runCli } from '../../cli/run-cli.js'
import { CLI } from '../../support/agent-process.js'
import { type CodeBlock, codeBlocks, fileBlocks, withTexts } from './markdown.js'
import { openProject } from './project.js'

/** Stands in documents for a directory of this machine. */
const SHOWN_PROJECT = '/home/me/project'
const SHOWN_NODE = '/path/to/node'
const SHOWN_CLI = '/path/to/deckhand/dist/cli.js'

/** Runs a line that starts with `deckhand`, in `cwd`; resolves to what it printed and how it ended. One at a time. */
export async function runCommand(line: string, cwd: string): Promise<{ stdout: string; code: number }> {
  const [, ...args] = split(line)
  // No config but that of the project.
  const env = { DECKHAND_STATE_DIR: join(cwd, 'state'), XDG_CONFIG_HOME: join(cwd, 'config') }
  return runCli(args, { cwd, env })
}

/**
 * The document with fresh text in each block labelled `output`, `frames` or `snippet`: what the command in the block before
 * prints, in a project with the document's files. Frames are reduced to their updates, a snippet has no introduction.
 */
export async function withFreshOutput(markdown: string): Promise<string> {
  const blocks = codeBlocks(markdown)
  const files = fileBlocks(markdown)
  const fresh = new Map<CodeBlock, string>()
  for (const [index, block] of blocks.entries()) {
    const command = blocks[index - 1]?.text.trim() ?? ''
    const show = SHOW[block.label as keyof typeof SHOW]
    if (!show || !command.startsWith('deckhand ')) continue
    const project = await openProject(files)
    const { stdout } = await runCommand(command, project)
    fresh.set(block, show(withoutPaths(stdout, project)))
  }
  return withTexts(markdown, fresh)
}

const SHOW = {
  output: (text: string) => text,
  snippet: (text: string) => text.slice(text.indexOf('\n\n') + 2),
  frames: (text: string) =>
    text
      .split('\n')
      .filter(line => line !== '')
      .map(line => `${showUpdate(JSON.parse(line).params.update)}\n`)
      .join(''),
}

/** One field on each line. */
function showUpdate(update: object): string {
  const fields = Object.entries(update).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`)
  return `{\n${fields.join(',\n')}\n}`
}

function withoutPaths(text: string, project: string): string {
  return text.replaceAll(project, SHOWN_PROJECT).replaceAll(process.execPath, SHOWN_NODE).replaceAll(CLI, SHOWN_CLI)
}
