import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { Step } from '../steps.js'
import type { OfferedTool } from './tool-call.js'

/** Where steps are done. `kill` is there while a command runs. */
export interface Running {
  cwd: string
  kill?: () => void
}

/** What the model is offered. */
export const TOOLS: readonly OfferedTool[] = Object.entries({
  bash: ['command'],
  read: ['path'],
  write: ['path', 'content'],
  edit: ['path', 'old_string', 'new_string'],
}).map(([name, parameters]) => ({
  name,
  parameters: { properties: Object.fromEntries(parameters.map(each => [each, { type: 'string' }])) },
}))

const KEPT_BYTES = 16_384
let calls = 0

/** Does a step, and returns what the model is told of it. */
export async function doStep(
  running: Running,
  step: Exclude<Step, { kind: 'say' }>,
  update: (update: SessionUpdate) => void,
): Promise<string> {
  const toolCallId = `c${++calls}`
  switch (step.kind) {
    case 'shell': {
      update({ sessionUpdate: 'tool_call', toolCallId, title: step.command, kind: 'execute', status: 'in_progress' })
      const { code, text } = await runShell(running, step.command)
      const status = code === 0 ? 'completed' : 'failed'
      const content = [{ type: 'content' as const, content: { type: 'text' as const, text } }]
      update({ sessionUpdate: 'tool_call_update', toolCallId, status, content })
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
      const diff = changeFile(step)
      update({
        sessionUpdate: 'tool_call',
        toolCallId,
        title: step.path,
        kind: 'edit',
        status: 'completed',
        locations: [{ path: step.path }],
        content: [{ type: 'diff', path: step.path, ...diff }],
      })
      return 'ok'
    }
  }
}

function changeFile(step: Extract<Step, { kind: 'write' | 'edit' }>): { oldText: string | null; newText: string } {
  if (step.kind === 'write') {
    writeFileSync(step.path, step.content)
    return { oldText: null, newText: step.content }
  }
  const text = readFileSync(step.path, 'utf8')
  const at = text.indexOf(step.oldText)
  writeFileSync(step.path, text.slice(0, at) + step.newText + text.slice(at + step.oldText.length))
  return { oldText: step.oldText, newText: step.newText }
}

function runShell(running: Running, command: string): Promise<{ code: number | null; text: string }> {
  return new Promise(resolve => {
    const child = spawn('/bin/sh', ['-c', command], {
      cwd: running.cwd,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.kill = () => process.kill(-(child.pid ?? 0), 'SIGKILL')
    let head = ''
    let tail = ''
    const keep = (chunk: Buffer) => {
      if (head.length < KEPT_BYTES) head += chunk.toString('latin1', 0, KEPT_BYTES - head.length)
      else tail = (tail + chunk.toString('latin1')).slice(-KEPT_BYTES)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('close', code => {
      delete running.kill
      resolve({ code, text: tail ? `${head}\n…\n${tail}` : head })
    })
  })
}
