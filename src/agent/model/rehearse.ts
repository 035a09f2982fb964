import { text } from '../../cards/index.js'
import type { SessionTools } from '../../registry/index.js'
import { runTurn } from '../turn.js'
import { Conversation } from './conversation.js'
import { converse } from './converse.js'
import type { Model } from './provider/index.js'

/**
 * Runs a turn in memory, with a model that answers by itself and tools that do nothing: what runs for the first time takes
 * several times as long, and a first prompt should not wait for it. No tool of a plugin has a part in it: its code would run
 * unasked. Ends early once the signal is aborted.
 */
export async function rehearse(model: Model, tools: SessionTools, cwd: string, signal: AbortSignal): Promise<void> {
  let calls = 0
  const schemas = tools.shippedSchemas()
  await runTurn({
    tools: {
      execute: async ({ callId }) => ({ callId, content: [text('a')], isError: false }),
      presentCall: () => undefined,
    },
    driver: {
      run: turn => {
        const conversation = new Conversation(turn.history)
        const assemble = async () => ({ system: 'a', tools: schemas })
        return converse({ turn, model, tools, conversation, assemble, maxSteps: 20 })
      },
    },
    agent: { sessionId: 'rehearsal', cwd, roots: [cwd] },
    prompt: [text('a')],
    turnId: 'turn-1',
    signal,
    emit: () => {},
    nextCallId: () => `call-${++calls}`,
  })
}
