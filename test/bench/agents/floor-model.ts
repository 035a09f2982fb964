import { Agent, request as httpRequest } from 'node:http'
import type { Answer, Model } from './agent-work.js'
import { TOOLS } from './work-steps.js'

const keepAlive = new Agent({ keepAlive: true })
const OFFERED = TOOLS.map(({ name, parameters }) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', ...parameters } },
}))

/** Chat completions with Node's HTTP client, in the messages of their wire. */
export const floorModel = (url: string): Model<object> => ({
  fromPrompt: text => ({ role: 'user', content: text }),
  ask: messages => ask(`${url}/v1/chat/completions`, messages),
  fromCall: ({ id, name, args }, result) => [
    { role: 'assistant', tool_calls: [{ id, type: 'function', function: { name, arguments: args } }] },
    { role: 'tool', tool_call_id: id, content: result },
  ],
})

function ask(url: string, messages: readonly object[]): Promise<Answer> {
  const body = JSON.stringify({ model: 'scripted', stream: true, messages, tools: OFFERED })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST', agent: keepAlive, headers }, response => {
      let stream = ''
      response.setEncoding('utf8').on('data', chunk => {
        stream += chunk
      })
      response.once('end', () => resolve(toAnswer(stream)))
    })
    request.once('error', reject).end(body)
  })
}

function toAnswer(stream: string): Answer {
  const answer = { id: '', name: '', args: '', text: '' }
  for (const line of stream.split('\n')) {
    if (!line.startsWith('data: {')) continue
    const delta = JSON.parse(line.slice(6)).choices?.[0]?.delta
    answer.text += delta?.content ?? ''
    const call = delta?.tool_calls?.[0]
    if (!call) continue
    answer.id = call.id ?? answer.id
    answer.name = call.function.name ?? answer.name
    answer.args += call.function.arguments ?? ''
  }
  return answer
}
