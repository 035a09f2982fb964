import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ModelServer } from '../../fixtures/model-server/index.js'
import type { AgentClient, Frame } from './agent-client.js'
import { makeDirectory } from './directory.js'

/** Writes a config file; the variable that names it. */
export function putConfig(text: string): Record<string, string> {
  const path = join(makeDirectory('config'), 'config.yml')
  writeFileSync(path, text)
  return { DECKHAND_CONFIG: path }
}

/** The ids of a question's answers, in their order. */
function optionIds(question: Frame): string[] {
  return question.params.options.map((option: Frame) => option.optionId)
}

export function isQuestion({ method, params }: Frame, sessionId: string): boolean {
  return method === 'session/request_permission' && params.sessionId === sessionId
}

/**
 * Answers each question of a session as `choose` says, until the agent ends; an id that is undefined leaves the question
 * open. Gives the questions that have come.
 */
export function answerQuestions(
  agent: AgentClient,
  sessionId: string,
  choose: (question: Frame) => string | undefined = () => 'allow_once',
): Frame[] {
  const questions: Frame[] = []
  const loop = async () => {
    for (;;) {
      const question = await agent.frame(frame => isQuestion(frame, sessionId) && !questions.includes(frame), 60_000)
      questions.push(question)
      const optionId = choose(question)
      if (optionId === undefined) continue
      agent.send({ id: question.id, result: { outcome: { outcome: 'selected', optionId } } })
    }
  }
  // It ends when the agent does.
  loop().catch(() => {})
  return questions
}

/** A user who answers "always" where that is offered. */
export function always(question: Frame): string {
  return optionIds(question).includes('allow_always') ? 'allow_always' : 'allow_once'
}

/** All text that a request holds for the model, results included. */
export function requestText({ body }: { body: Frame }): string {
  return JSON.stringify(body.messages)
}

/** The messages of a request without what only marks a cache. */
export function plainMessages({ body }: { body: Frame }): Frame[] {
  return JSON.parse(JSON.stringify(body.messages), (key, value) => (key === 'cache_control' ? undefined : value))
}

/** Fails unless each request holds all of the one before as its beginning, the system prompt and the tools included. */
export function expectAppendOnly(server: ModelServer): void {
  const requests = server.requests
  for (const [index, request] of requests.entries()) {
    const before = requests[index - 1]
    if (!before) continue
    const earlier = plainMessages(before)
    expect(plainMessages(request).slice(0, earlier.length)).toEqual(earlier)
    expect(request.body.tools).toEqual(before.body.tools)
    expect(JSON.stringify(request.body.system)).toEqual(JSON.stringify(before.body.system))
  }
}

/** Text of a session's thoughts, or of its messages. */
export function said(agent: AgentClient, sessionId: string, kind: 'message' | 'thought' = 'message', from = 0): string {
  return agent
    .updates(sessionId, from)
    .filter(update => update.sessionUpdate === `agent_${kind}_chunk`)
    .map(update => update.content.text)
    .join('')
}

/** What a user has seen of a session: its texts as they read, and all else as it came. */
export function seen(agent: AgentClient, sessionId: string, from = 0): string {
  const frames = agent.frames.slice(from).filter(({ params }) => params?.sessionId === sessionId)
  const texts = (['message', 'thought'] as const).map(kind => said(agent, sessionId, kind, from))
  return `${texts} ${JSON.stringify(frames)}`
}
