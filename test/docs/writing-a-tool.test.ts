import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileBlocks, readDocument, root } from './support/markdown.js'
import { playPrompts, withFreshCards } from './support/player.js'
import { openProject } from './support/project.js'

const NAME = 'docs/writing-a-tool.md'
const markdown = readDocument(NAME)

it('loads the tool of docs/writing-a-tool.md by its host script and draws its card (vitest -u draws it anew)', async () => {
  await expect(await withFreshCards(markdown, 'agent.js')).toMatchFileSnapshot(join(root, NAME))
})

it('runs the host script with the plugin that refuses calls, and the file stays', async () => {
  const files = fileBlocks(markdown)
  const script = files.get('agent.js') ?? ''
  const guarded = script
    .replace("import * as sortLines from './sort-lines.js'", "import * as noSecrets from './no-secrets.js'")
    .replace('[sortLines]', '[noSecrets]')
  const project = await openProject(new Map([...files, ['agent.js', guarded]]))
  const prompts = ['/write .env\n```\nKEY=1\n```', '/write notes.txt\n```\nok\n```']
  const played = await playPrompts(join(project, 'agent.js'), project, prompts)
  expect(played.map(({ cards }) => cards.map(card => card.status))).toEqual([['failed'], ['completed']])
  expect(JSON.stringify(played[0]?.cards[0]?.content)).toContain('Files named .env stay as they are.')
})

it('answers /tools with the form of the new command', async () => {
  const project = await openProject(fileBlocks(markdown))
  const [played] = await playPrompts(join(project, 'agent.js'), project, ['/tools'])
  expect(played?.answer).toContain('`/sort_lines PATH`: Sort the lines of a text file')
})
