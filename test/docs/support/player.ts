import { join, resolve } from 'node:path'
import { methods, type SessionUpdate } from '@agentclientprotocol/sdk'
import { startAgent } from '../../../src/cli/demo/agent-client.js'
import { drawCard } from '../../../src/cli/draw/draw-card.js'
import { toAnsi } from '../../../src/cli/draw/styled.js'
import { type ClientCard, foldCard } from '../../../src/cli/fold/client-card.js'
import { type CodeBlock, codeBlocks, fileBlocks, withTexts } from './markdown.js'
import { openProject } from './project.js'

/** What one prompt of a document led to. */
interface Played {
  prompt: string
  cards: ClientCard[]
  answer: string
}

/** Types prompts to the agent that `script` starts, over its stdin and stdout, as an editor with terminals does; `args` stand behind `acp`. */
export async function playPrompts(
  script: string,
  project: string,
  prompts: readonly string[],
  args: readonly string[] = [],
): Promise<Played[]> {
  const cards = new Map<string, ClientCard>()
  let answer = ''
  const onUpdate = (update: SessionUpdate) => {
    foldCard(cards, update)
    if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') answer += update.content.text
  }
  const agent = await startAgent(script, join(project, 'state'), onUpdate, { args })
  const played: Played[] = []
  try {
    const client = agent.connection.agent
    const { sessionId } = await client.request(methods.agent.session.new, { cwd: project, mcpServers: [] })
    for (const prompt of prompts) {
      const before = cards.size
      answer = ''
      const blocks = [{ type: 'text' as const, text: prompt.trim() }]
      await client.request(methods.agent.session.prompt, { sessionId, prompt: blocks })
      played.push({ prompt, cards: [...cards.values()].slice(before), answer })
    }
  } finally {
    await agent.end()
  }
  return played
}

/** The prompts of a document: blocks labelled `prompt`. */
export function promptBlocks(markdown: string): CodeBlock[] {
  return codeBlocks(markdown).filter(({ label }) => label === 'prompt')
}

/**
 * The document with fresh text in each block labelled `card`: the cards that the prompt before it leads to, drawn, in a
 * project with the document's files. `script` is the file that starts the agent, `args` what it gets behind `acp`; `files` are
 * more files.
 */
export async function withFreshCards(
  markdown: string,
  script: string,
  files: ReadonlyMap<string, string> = new Map(),
  args: (project: string) => readonly string[] = () => [],
): Promise<string> {
  const project = await openProject(new Map([...fileBlocks(markdown), ...files]))
  const prompts = promptBlocks(markdown)
  const played = await playPrompts(
    resolve(project, script),
    project,
    prompts.map(({ text }) => text),
    args(project),
  )
  const fresh = new Map<CodeBlock, string>()
  let last = -1
  for (const block of codeBlocks(markdown)) {
    if (block.label === 'prompt') last++
    if (block.label === 'card') fresh.set(block, drawCards(played[last]?.cards ?? [], project))
  }
  return withTexts(markdown, fresh)
}

function drawCards(cards: readonly ClientCard[], project: string): string {
  const lines = toAnsi(cards.flatMap(drawCard), false).replaceAll(`${project}/`, '')
  return lines.replace(/ +$/gm, '')
}
