import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV3FunctionTool, LanguageModelV3Message } from '@ai-sdk/provider'
import type { Answer, Model } from './agent-work.js'
import { TOOLS } from './work-steps.js'

const OFFERED = TOOLS.map(({ name, parameters }) => ({
  type: 'function',
  name,
  inputSchema: { type: 'object', ...parameters },
})) as LanguageModelV3FunctionTool[]

/** Chat completions with the package of a provider, in the messages of its prompt, over the platform's fetch. */
export function packagesModel(url: string): Model<LanguageModelV3Message> {
  const client = createOpenAICompatible({ name: 'scripted', baseURL: `${url}/v1`, includeUsage: true })('scripted')
  return {
    fromPrompt: text => ({ role: 'user', content: [{ type: 'text', text }] }),
    ask: async messages => {
      const { stream } = await client.doStream({ prompt: [...messages], tools: OFFERED })
      const answer: Answer = { id: '', name: '', args: '', text: '' }
      for await (const part of stream) {
        if (part.type === 'error') throw part.error
        if (part.type === 'text-delta') answer.text += part.delta
        if (part.type !== 'tool-call') continue
        answer.id = part.toolCallId
        answer.name = part.toolName
        answer.args = part.input
      }
      return answer
    },
    fromCall: ({ id, name, args }, result) => [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName: name, input: JSON.parse(args) }] },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: id, toolName: name, output: { type: 'text', value: result } }],
      },
    ],
  }
}
