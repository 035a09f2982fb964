import type { ModelServer, Protocol } from '../../fixtures/model-server/index.js'
import { type ModelAgentOptions, modelEnv } from '../support/model-agent.js'
import { type CheckedAgent, makeDirectory, openAgent } from './support.js'

export {
  always,
  answerQuestions,
  expectAppendOnly,
  plainMessages,
  requestText,
  said,
} from '../support/conversation.js'
export { modelEnv, protocols, startModel } from '../support/model-agent.js'

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
