import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { ModelServer, type Protocol } from '../../fixtures/model-server/index.js'
import { CLIENTS, type Client } from './agent-client.js'
import { makeDirectory } from './directory.js'
import { LocalAgent, openLocalAgent } from './local-agent.js'

export const protocols: readonly Protocol[] = ['openai', 'anthropic']

/** What a user has in their environment that would choose another model, or other instructions. */
const NOTHING = {
  ...{ ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '', DEEPSEEK_API_KEY: '' },
  ...{ OPENAI_API_KEY: '', OPENAI_BASE_URL: '', OPENAI_MODEL: '', DECKHAND_MODEL: '' },
  ...{ HTTP_PROXY: '', HTTPS_PROXY: '', http_proxy: '', https_proxy: '', DECKHAND_CONFIG: '', XDG_CONFIG_HOME: '' },
}

export interface ModelAgentOptions {
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

/** An agent in this process with a model behind it; without a server it has none. */
export function openLocalModelAgent(
  server: ModelServer | undefined,
  protocol: Protocol,
  options: ModelAgentOptions = {},
): Promise<LocalAgent> {
  const { client = 'terminal_output', stateDir } = options
  const env = modelEnv(server, protocol, makeDirectory('home'), options)
  return openLocalAgent(client, { env, ...(stateDir ? { stateDir } : {}) })
}

interface SharedModel {
  agent: LocalAgent
  server: ModelServer
}

/** One agent and one server for all tests of a suite, to be called in its body; each call of the result sets the script. */
export function shareLocalModelAgent(
  protocol: Protocol,
  env: Record<string, string> = {},
): (...script: ModelServer['script']) => SharedModel {
  let home: string
  let shared: SharedModel
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'deckhand-home-'))
    const server = await ModelServer.start()
    const agent = await new LocalAgent().open({ env: modelEnv(server, protocol, home, { env }) })
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
