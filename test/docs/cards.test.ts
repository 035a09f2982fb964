import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileBlocks, readDocument, root } from './support/markdown.js'
import { promptBlocks, withFreshCards } from './support/player.js'

const NAME = 'docs/cards.md'

/** Starts an agent with every plugin of the page. */
function hostScript(plugins: readonly string[]): string {
  const imports = plugins.map((file, index) => `import * as plugin${index} from './${file}'`)
  return `import { createAgent, stdioStream } from 'deckhand/host'
${imports.join('\n')}
const agent = createAgent({
  stream: stdioStream(process.stdin, process.stdout),
  stateDir: process.env.DECKHAND_STATE_DIR,
  plugins: [${plugins.map((_, index) => `plugin${index}`).join(', ')}],
})
await agent.closed
process.exit(0)
`
}

it('draws in docs/cards.md the cards that its tools make (vitest -u draws them anew)', async () => {
  const markdown = readDocument(NAME)
  const plugins = [...fileBlocks(markdown)].filter(([, text]) => text.includes("from 'deckhand'")).map(([file]) => file)
  expect(plugins.length).toBeGreaterThanOrEqual(4)
  expect(promptBlocks(markdown).length).toBeGreaterThanOrEqual(5)
  const fresh = await withFreshCards(markdown, 'agent.js', new Map([['agent.js', hostScript(plugins)]]))
  await expect(fresh).toMatchFileSnapshot(join(root, NAME))
})
