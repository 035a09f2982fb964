import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { ModelServer, type Protocol } from '../../fixtures/model-server/index.js'
import type { Frame } from '../support/agent-process.js'
import { CheckedAgent, CLIENTS, type Client, makeDirectory, openAgent } from './support.js'

export const protocols: readonly Protocol[] = ['openai', 'anthropic']

/** What a user has in their environment that would choose another model, or other instructions. */
const NOTHING = {
  ...{ ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '', DEEPSEEK_API_KEY: '' },
  ...{ OPENAI_API_KEY: '', OPENAI_BASE_URL: '', OPENAI_MODEL: '', DECKHAND_MODEL: '' },
  ...{ HTTP_PROXY: '', HTTPS_PROXY: '', http_proxy: '', https_proxy: '', DECKHAND_CONFIG: '', XDG_CONFIG_HOME: '' },
}

interface ModelAgentOptions {
  client?: Client
  stateDir?: string
  key?: string
  model?: string
  env?: Record<string, string>
}

/** A server with this script, for one test, which fails if a request was one that a provider would refuse. */
export async function startModel(...script: ModelServer['script']): Promise<ModelServer> {
  const server = await ModelServer.start(...script)
  onTestFinished(() => server.close())
  onTestFinished(() => expect(server.problems).toEqual([]))
  return server
}

/** Environment of an agent that has this model and nothing else of the user's. */
export function modelEnv(
  server: ModelServer | undefined,
  protocol: Protocol,
  home: string,
  { key, model, env = {} }: ModelAgentOptions = {},
): Record<string, string> {
  const own = server?.env(protocol, { ...(key ? { key } : {}), ...(model ? { model } : {}) }) ?? {}
  return { ...NOTHING, HOME: home, USERPROFILE: home, APPDATA: home, ...own, ...env }
}

/** The built binary with a model behind it; without a server it has none. */
export function openModelAgent(
  server: ModelServer | undefined,
  protocol: Protocol,
  options: ModelAgentOptions = {},
): Promise<CheckedAgent> {
  const { client = 'terminal_output', stateDir } = options
  const env = modelEnv(server, protocol, makeDirectory('home'), options)
  return openAgent(client, { env, ...(stateDir ? { stateDir } : {}) })
}

interface SharedModel {
  agent: CheckedAgent
  server: ModelServer
}

/** One agent and one server for all tests of a suite, to be called in its body; each call of the result sets the script. */
export function shareModelAgent(
  protocol: Protocol,
  env: Record<string, string> = {},
): (...script: ModelServer['script']) => SharedModel {
  let home: string
  let shared: SharedModel
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'deckhand-home-'))
    const server = await ModelServer.start()
    const agent = new CheckedAgent({ env: modelEnv(server, protocol, home, { env }) })
    shared = { agent, server }
    await agent.initialize(CLIENTS.terminal_output)
  })
  afterAll(async () => {
    const { agent, server } = shared
    await agent.end()
    try {
      agent.check()
    } finally {
      await agent.dispose()
      await server.close()
      rmSync(home, { recursive: true, force: true })
    }
  })
  return (...script) => {
    const { server } = shared
    server.requests.splice(0)
    server.problems.splice(0)
    server.script.splice(0, server.script.length, ...script)
    onTestFinished(() => expect(server.problems).toEqual([]))
    return shared
  }
}

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
  agent: CheckedAgent,
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
export function said(
  agent: CheckedAgent,
  sessionId: string,
  kind: 'message' | 'thought' = 'message',
  from = 0,
): string {
  return agent
    .updates(sessionId, from)
    .filter(update => update.sessionUpdate === `agent_${kind}_chunk`)
    .map(update => update.content.text)
    .join('')
}
