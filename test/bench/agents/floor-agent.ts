import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { findScript, type Step, toSteps } from '../steps.js'

/**
 * The floor: the same work with bare calls of Node, without SDK, checks, gates or a log worth the name, and with the
 * fewest messages that show it. With BENCH_MODEL it asks the model for each step, as a real agent must.
 */

// biome-ignore lint/suspicious/noExplicitAny: the floor checks nothing.
type Message = any

interface Session {
  id: string
  cwd: string
  cancelled: boolean
  kill?: () => void
}

const { BENCH_MODEL: modelUrl, BENCH_STORE: store = '' } = process.env
const keepAlive = new Agent({ keepAlive: true })
const sessions = new Map<string, Session>()
const KEPT_BYTES = 16_384
let calls = 0

const TOOLS = [
  ['bash', ['command']],
  ['read', ['path']],
  ['write', ['path', 'content']],
  ['edit', ['path', 'old_string', 'new_string']],
].map(([name, parameters]) => ({
  type: 'function',
  function: {
    name,
    parameters: {
      type: 'object',
      properties: Object.fromEntries((parameters as string[]).map(each => [each, { type: 'string' }])),
    },
  },
}))

function send(message: object): string {
  const line = `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
  process.stdout.write(line)
  return line
}

function askModel(messages: object[]): Promise<{ id: string; name: string; args: string; text: string }> {
  const body = JSON.stringify({ model: 'scripted', stream: true, messages, tools: TOOLS })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      `${modelUrl}/v1/chat/completions`,
      { method: 'POST', agent: keepAlive, headers },
      response => {
        let stream = ''
        response.setEncoding('utf8').on('data', chunk => {
          stream += chunk
        })
        response.once('end', () => {
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
          resolve(answer)
        })
      },
    )
    request.once('error', reject).end(body)
  })
}

function runShell(session: Session, command: string): Promise<{ code: number | null; text: string }> {
  return new Promise(resolve => {
    const child = spawn('/bin/sh', ['-c', command], {
      cwd: session.cwd,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    session.kill = () => process.kill(-(child.pid ?? 0), 'SIGKILL')
    let head = ''
    let tail = ''
    const keep = (chunk: Buffer) => {
      if (head.length < KEPT_BYTES) head += chunk.toString('latin1', 0, KEPT_BYTES - head.length)
      else tail = (tail + chunk.toString('latin1')).slice(-KEPT_BYTES)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('close', code => {
      delete session.kill
      resolve({ code, text: tail ? `${head}\n…\n${tail}` : head })
    })
  })
}

/** Does a step, and returns what the model is told of it. */
async function runStep(
  session: Session,
  step: Exclude<Step, { kind: 'say' }>,
  update: (update: object) => void,
): Promise<string> {
  const toolCallId = `c${++calls}`
  switch (step.kind) {
    case 'shell': {
      update({ sessionUpdate: 'tool_call', toolCallId, title: step.command, kind: 'execute', status: 'in_progress' })
      const { code, text } = await runShell(session, step.command)
      const content = [{ type: 'content', content: { type: 'text', text } }]
      update({ sessionUpdate: 'tool_call_update', toolCallId, status: code === 0 ? 'completed' : 'failed', content })
      return text
    }
    case 'read': {
      const text = readFileSync(step.path, 'utf8')
      const locations = [{ path: step.path }]
      update({ sessionUpdate: 'tool_call', toolCallId, title: step.path, kind: 'read', status: 'completed', locations })
      return text
    }
    case 'write':
    case 'edit': {
      let diff: object
      if (step.kind === 'edit') {
        const text = readFileSync(step.path, 'utf8')
        const at = text.indexOf(step.oldText)
        writeFileSync(step.path, text.slice(0, at) + step.newText + text.slice(at + step.oldText.length))
        diff = { oldText: step.oldText, newText: step.newText }
      } else {
        writeFileSync(step.path, step.content)
        diff = { oldText: null, newText: step.content }
      }
      const content = [{ type: 'diff', path: step.path, ...diff }]
      const locations = [{ path: step.path }]
      update({
        sessionUpdate: 'tool_call',
        toolCallId,
        title: step.path,
        kind: 'edit',
        status: 'completed',
        locations,
        content,
      })
      return 'ok'
    }
  }
}

async function runTurn(session: Session, text: string): Promise<void> {
  const script = findScript(text)
  if (!script) throw new Error('the prompt names no script')
  const lines: string[] = []
  const update = (each: object) => {
    lines.push(send({ method: 'session/update', params: { sessionId: session.id, update: each } }))
  }
  const messages: object[] = [{ role: 'user', content: text }]
  for (let step of toSteps(script)) {
    if (session.cancelled) return
    let asked: Awaited<ReturnType<typeof askModel>> | undefined
    if (modelUrl) {
      asked = await askModel(messages)
      if (asked.name === '') {
        update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: asked.text } })
        break
      }
      const { command, path, content, old_string: oldText, new_string: newText } = JSON.parse(asked.args)
      step = { kind: step.kind, command, path, content, oldText, newText } as Step
    }
    if (step.kind === 'say') {
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: step.text } })
      continue
    }
    const content = await runStep(session, step, update)
    if (!asked) continue
    const { id, name, args } = asked
    messages.push(
      { role: 'assistant', tool_calls: [{ id, type: 'function', function: { name, arguments: args } }] },
      { role: 'tool', tool_call_id: id, content },
    )
  }
  appendFileSync(join(store, session.id), lines.join(''))
}

async function handle({ id, method, params }: Message): Promise<void> {
  switch (method) {
    case 'initialize':
      send({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } })
      return
    case 'session/new': {
      const sessionId = `s${process.pid}-${sessions.size}`
      sessions.set(sessionId, { id: sessionId, cwd: params.cwd, cancelled: false })
      send({ id, result: { sessionId } })
      return
    }
    case 'session/load': {
      const { sessionId, cwd } = params
      sessions.set(sessionId, { id: sessionId, cwd, cancelled: false })
      process.stdout.write(readFileSync(join(store, sessionId)))
      send({ id, result: {} })
      return
    }
    case 'session/prompt': {
      const session = sessions.get(params.sessionId)
      if (!session) throw new Error('no such session')
      session.cancelled = false
      await runTurn(session, params.prompt[0].text)
      send({ id, result: { stopReason: session.cancelled ? 'cancelled' : 'end_turn' } })
      return
    }
    case 'session/cancel': {
      const session = sessions.get(params.sessionId)
      if (!session) return
      session.cancelled = true
      session.kill?.()
      return
    }
    default:
      if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } })
  }
}

mkdirSync(store, { recursive: true })
let rest = ''
process.stdin.setEncoding('utf8').on('data', chunk => {
  rest += chunk
  for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
    const line = rest.slice(0, end)
    rest = rest.slice(end + 1)
    if (line) void handle(JSON.parse(line))
  }
})
process.stdin.once('end', () => process.exit(0))
