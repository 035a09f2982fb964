import { methods, RequestError } from '@agentclientprotocol/sdk'
import { chooseModel, isFields, parseModelChoice } from '../../bridge/index.js'
import { drawPrompt } from '../draw/draw-prompt.js'
import { type Line, span } from '../draw/styled.js'
import type { Environment } from '../environment.js'
import { foldCard } from '../fold/client-card.js'
import { toModelSettings } from '../model-settings.js'
import { type DemoAgent, startAgent } from './agent-client.js'
import { answerForUser, askUser, type Dialogs } from './dialogs.js'
import { reopen } from './reopen.js'
import type { Scratch } from './scratch.js'
import { task } from './script.js'
import { Thread } from './thread.js'

const INTERRUPTED = 130

interface TaskOptions {
  cliPath: string
  scratch: Scratch
  /** `provider/model`. */
  model: string
  draw(lines: Line[]): void
}

/** The model for the demo as `provider/model`. Throws if there is none, or if `wanted` is none. */
export async function findModel(environment: Environment, wanted: string | boolean): Promise<string> {
  const settings = toModelSettings(environment)
  const chosen =
    typeof wanted === 'string' ? { choice: parseModelChoice(wanted, settings, '--model') } : await chooseModel(settings)
  if (chosen.choice === undefined) throw new Error(`the demo has no model to talk to. ${chosen.advice}`)
  return `${chosen.choice.provider}/${chosen.choice.model}`
}

/**
 * Hands a task to the model, asks the user what the agent asks, and reopens the thread. 0 if the project's test ran last and
 * passed, and the reopened thread is the same; 130 if the user broke it off.
 */
export async function playTask({ cliPath, scratch, model, draw }: TaskOptions): Promise<number> {
  const { project, stateDir } = scratch
  const thread = new Thread(project, draw)
  const interrupt = new Interrupt(draw)
  const dialogs = toDialogs(project, draw, () => interrupt.take())
  const agent = await startAgent(cliPath, stateDir, update => thread.take(update), {
    args: ['--model', model],
    capabilities: { elicitation: { form: {} } },
    ownGroup: true,
    serve: app =>
      app
        .onRequest(methods.client.session.requestPermission, ({ params, signal }) => {
          const card = foldCard(new Map(), { ...params.toolCall, sessionUpdate: 'tool_call' })
          if (card) thread.show(card)
          return dialogs.permission(params, signal)
        })
        .onRequest(methods.client.elicitation.create, ({ params, signal }) => {
          thread.flush()
          return dialogs.question(params, signal)
        }),
  })
  interrupt.guard(agent)
  try {
    const { sessionId } = await agent.connection.agent.request(methods.agent.session.new, {
      cwd: project,
      mcpServers: [],
    })
    interrupt.sessionId = sessionId
    draw([[], [span(`Model: ${model}`, 'dim')], ...drawPrompt(task)])
    const ended = agent.exited.then(() => {
      throw new Error('the agent ended before the answer did.')
    })
    const answer = agent.connection.agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: 'text', text: task }],
    })
    const { stopReason } = await Promise.race([answer, ended])
    thread.flush()
    await agent.end()
    if (stopReason === 'cancelled') draw([[span('Cancelled.', 'fail')]])
    const { isSame, line } = await reopen({ cliPath, scratch, sessionId, cards: thread.cards })
    draw([[], line])
    if (stopReason === 'cancelled') return INTERRUPTED
    const isDone = [...thread.cards.values()].findLast(({ kind }) => kind === 'execute')?.status === 'completed'
    if (!isDone) draw([[span('The task was not done: the test of the project did not pass last.', 'fail')]])
    return isSame && isDone && stopReason === 'end_turn' ? 0 : 1
  } catch (error) {
    thread.flush()
    if (interrupt.isOver) return INTERRUPTED
    throw new Error(toReason(error), { cause: error })
  } finally {
    interrupt.release()
    await agent.end()
  }
}

/** Ctrl-C: the first cancels the turn, the second ends the agent. */
class Interrupt {
  sessionId: string | undefined
  isOver = false
  #agent: DemoAgent | undefined
  #count = 0
  readonly #onSignal = () => this.take()

  constructor(private readonly draw: (lines: Line[]) => void) {}

  guard(agent: DemoAgent): void {
    this.#agent = agent
    process.on('SIGINT', this.#onSignal)
    process.on('SIGTERM', this.#onSignal)
  }

  release(): void {
    process.off('SIGINT', this.#onSignal)
    process.off('SIGTERM', this.#onSignal)
  }

  take(): void {
    this.#count++
    const { sessionId } = this
    if (this.#count === 1 && sessionId !== undefined) {
      this.draw([[span('Cancelling; Ctrl-C again ends at once.', 'dim')]])
      this.#agent?.connection.agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {})
    } else {
      this.isOver = true
      this.#agent?.stop()
    }
  }
}

function toDialogs(project: string, draw: (lines: Line[]) => void, onInterrupt: () => void): Dialogs {
  const { stdin: input, stdout: output } = process
  if (!input.isTTY || !output.isTTY) return answerForUser(project, draw)
  return askUser({ terminal: { input, output }, draw, onInterrupt })
}

function toReason(error: unknown): string {
  const details = error instanceof RequestError && isFields(error.data) ? error.data.details : undefined
  if (typeof details === 'string') return details
  return error instanceof Error ? error.message : String(error)
}
