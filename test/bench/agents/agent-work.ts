import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { findScript, type Step, toSteps } from '../steps.js'
import { doStep, type Running } from './work-steps.js'

/** What a model said: a call, or text with an empty `name`. `args` is JSON. */
export interface Answer {
  id: string
  name: string
  args: string
  text: string
}

/** A model, and how it is told of a conversation. */
export interface Model<Message> {
  fromPrompt(text: string): Message
  ask(messages: readonly Message[]): Promise<Answer>
  fromCall(call: Answer, result: string): Message[]
}

/** How a client is told of updates. */
export interface Wire {
  /** Sends one, and answers the line that is kept of it. */
  send(sessionId: string, update: SessionUpdate): string
  /** Sends again what was kept. */
  replay(sessionId: string, kept: Buffer): Promise<void>
}

interface Session extends Running {
  id: string
  cancelled: boolean
}

/**
 * What the floor and the agent of packages both do, with bare calls of Node, no checks and the fewest messages that show
 * it. Without a model the script is done as it stands.
 */
export class AgentWork<Message> {
  readonly #sessions = new Map<string, Session>()

  constructor(
    private readonly store: string,
    private readonly wire: Wire,
    private readonly model: Model<Message> | undefined,
  ) {
    mkdirSync(store, { recursive: true })
  }

  create(cwd: string): string {
    const id = `s${process.pid}-${this.#sessions.size}`
    this.#sessions.set(id, { id, cwd, cancelled: false })
    return id
  }

  load(id: string, cwd: string): Promise<void> {
    this.#sessions.set(id, { id, cwd, cancelled: false })
    return this.wire.replay(id, readFileSync(join(this.store, id)))
  }

  async prompt(id: string, text: string): Promise<'cancelled' | 'end_turn'> {
    const session = this.#sessions.get(id)
    if (!session) throw new Error('no such session')
    session.cancelled = false
    const lines: string[] = []
    await this.#runTurn(session, text, update => lines.push(this.wire.send(id, update)))
    if (!session.cancelled) appendFileSync(join(this.store, id), lines.join(''))
    return session.cancelled ? 'cancelled' : 'end_turn'
  }

  cancel(id: string): void {
    const session = this.#sessions.get(id)
    if (!session) return
    session.cancelled = true
    session.kill?.()
  }

  async #runTurn(session: Session, text: string, update: (update: SessionUpdate) => void): Promise<void> {
    const script = findScript(text)
    if (!script) throw new Error('the prompt names no script')
    const { model } = this
    const messages = model ? [model.fromPrompt(text)] : []
    for (let step of toSteps(script)) {
      if (session.cancelled) return
      const answer = await model?.ask(messages)
      if (answer) step = toStep(step.kind, answer)
      if (step.kind === 'say') {
        update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: step.text } })
        return
      }
      const result = await doStep(session, step, update)
      if (model && answer) messages.push(...model.fromCall(answer, result))
    }
  }
}

function toStep(kind: Step['kind'], { name, args, text }: Answer): Step {
  if (name === '') return { kind: 'say', text }
  const { command, path, content, old_string: oldText, new_string: newText } = JSON.parse(args)
  return { kind, command, path, content, oldText, newText } as Step
}
