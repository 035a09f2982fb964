import { methods } from '@agentclientprotocol/sdk'
import { drawPrompt } from '../draw/draw-prompt.js'
import type { Line } from '../draw/styled.js'
import type { Environment } from '../environment.js'
import { printLines } from '../print.js'
import { startAgent } from './agent-client.js'
import { findModel, playTask } from './model-demo.js'
import { reopen } from './reopen.js'
import { createScratch, type Scratch } from './scratch.js'
import { prompts } from './script.js'
import { Thread } from './thread.js'

interface DemoOptions {
  /** Lets a model do the work: true for the one that is configured. */
  model?: string | boolean
}

/**
 * `deckhand demo`: a small client that starts the real agent, types prompts, or hands a task to a model, and draws what it is
 * sent; 1 if anything is off. Throws if there is no model.
 */
export async function runDemo(environment: Environment, { model }: DemoOptions): Promise<number> {
  const chosen = model ? await findModel(environment, model) : undefined
  const cliPath = process.argv[1] ?? 'deckhand'
  const scratch = await createScratch()
  try {
    const options = { cliPath, scratch, draw: printLines }
    return chosen ? await playTask({ ...options, model: chosen }) : await playScript(options)
  } finally {
    await scratch.remove()
  }
}

interface PlayOptions {
  cliPath: string
  scratch: Scratch
  draw(lines: Line[]): void
}

async function playScript({ cliPath, scratch, draw }: PlayOptions): Promise<number> {
  const thread = new Thread(scratch.project, draw)
  const agent = await startAgent(cliPath, scratch.stateDir, update => thread.take(update))
  const { sessionId } = await agent.connection.agent.request(methods.agent.session.new, {
    cwd: scratch.project,
    mcpServers: [],
  })
  for (const text of prompts) {
    draw(drawPrompt(text))
    await agent.connection.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] })
    thread.flush()
  }
  await agent.end()

  const { isSame, line } = await reopen({ cliPath, scratch, sessionId, cards: thread.cards })
  draw([[], line])
  return isSame && thread.cards.size === prompts.length ? 0 : 1
}
