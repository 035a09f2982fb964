import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { methods } from '@agentclientprotocol/sdk'
import type { SessionUpdate } from '../../bridge/index.js'
import { drawCard } from '../draw/draw-card.js'
import { drawPlan } from '../draw/draw-plan.js'
import { drawPrompt } from '../draw/draw-prompt.js'
import { type Line, span } from '../draw/styled.js'
import { toSvg } from '../draw/svg.js'
import { type ClientCard, foldCard } from '../fold/client-card.js'
import { printLines } from '../print.js'
import { startAgent } from './agent-client.js'
import { files, prompts } from './script.js'

/** `deckhand demo`: a small client that starts the real agent, types prompts, and draws what it is sent; 1 if anything is off. */
export async function runDemo({ svg }: { svg?: string }): Promise<number> {
  const scratch = await mkdtemp(join(tmpdir(), 'deckhand-demo-'))
  const drawn: Line[] = []
  const draw = (lines: Line[]) => {
    drawn.push(...lines)
    printLines(lines)
  }
  try {
    const ok = await playDemo(scratch, draw)
    if (svg)
      await writeFile(
        svg,
        toSvg(
          drawn.slice(drawn.findIndex(line => line.length > 0)),
          'Deckhand: cards of tool calls as an editor shows them',
        ),
      )
    return ok ? 0 : 1
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function playDemo(scratch: string, draw: (lines: Line[]) => void): Promise<boolean> {
  const project = join(scratch, 'project')
  const stateDir = join(scratch, 'state')
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, file)), { recursive: true })
    await writeFile(join(project, file), text)
  }
  const cliPath = process.argv[1] ?? 'deckhand'

  const live = new Map<string, ClientCard>()
  const agent = await startAgent(cliPath, stateDir, update => show(live, update, project, draw))
  const { sessionId } = await agent.connection.agent.request(methods.agent.session.new, {
    cwd: project,
    mcpServers: [],
  })
  for (const text of prompts) {
    draw(drawPrompt(text))
    await agent.connection.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] })
  }
  await agent.end()

  const again = new Map<string, ClientCard>()
  const reopened = await startAgent(cliPath, stateDir, update => void foldCard(again, update))
  await reopened.connection.agent.request(methods.agent.session.load, { sessionId, cwd: project, mcpServers: [] })
  await reopened.end()
  const isSame = isDeepStrictEqual([...live.values()], [...again.values()])
  const verdict = isSame ? 'the same cards' : 'other cards'
  draw([
    [],
    [
      span(`${live.size} tool calls. `),
      span(`The thread was closed, reopened in a new process and shows ${verdict}.`, isSame ? 'ok' : 'fail'),
    ],
  ])
  return isSame && live.size === prompts.length
}

function show(
  cards: Map<string, ClientCard>,
  update: SessionUpdate,
  project: string,
  draw: (lines: Line[]) => void,
): void {
  if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') {
    draw([[span(update.content.text)]])
  }
  if (update.sessionUpdate === 'plan') draw(drawPlan(update.entries))
  const card = foldCard(cards, update)
  if (card?.status !== 'completed' && card?.status !== 'failed') return
  const local = (path: string) => relative(project, path) || path
  draw(
    drawCard({
      ...card,
      locations: card.locations.map(location => ({ ...location, path: local(location.path) })),
      content: card.content.map(block => (block.type === 'diff' ? { ...block, path: local(block.path) } : block)),
    }),
  )
}
