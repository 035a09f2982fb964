import { call, calls, say, speak, think } from '../../../fixtures/model-server/index.js'
import { files } from '../../../src/cli/demo/script.js'
import { answerQuestions, openModelAgent, startModel } from '../../binary/model-support.js'
import { type CheckedAgent, makeDirectory } from '../../binary/support.js'
import type { Frame } from '../../support/agent-process.js'
import { putTree } from '../../support/tree.js'

interface Recorded {
  dir: 'in' | 'out'
  msg: Frame
}

const PROJECT = '/home/me/project'
const SESSION = '0b6f6a1e-6d0c-4b61-9c3c-7e1f1c2d3e4f'

const RUN = calls(call('bash', { command: 'node test.js', description: 'Run the test' }))

/** What the model of the pictures says and does. */
const TURNS = [
  { parts: [think('The test says what it expects. First I run it.'), speak('I run the test first.'), ...RUN.parts] },
  calls(call('read', { path: 'src/greet.js' })),
  {
    parts: [
      speak('`greet` lacks the comma and the exclamation mark:'),
      ...calls(
        call('edit', {
          path: 'src/greet.js',
          old_string: "  return 'Hello ' + name",
          new_string: "  // As test.js wants it.\n  return 'Hello, ' + name + '!'",
        }),
      ).parts,
    ],
  },
  RUN,
  say('Both checks pass now. **What was wrong:** the greeting had no comma, so `shout` had none either.'),
]

/** A session with a model and a user who is asked, as the lines of a transcript, with nothing in them of this machine. */
export async function recordSession(): Promise<string[]> {
  const server = await startModel(...TURNS)
  const home = makeDirectory('home')
  const agent = await openModelAgent(server, 'openai', { env: { HOME: home } })
  const cwd = makeDirectory()
  await putTree(cwd, files)
  const recorded = record(agent)
  const sessionId = await agent.newSession(cwd)
  answerQuestions(agent, sessionId)
  await agent.prompt(sessionId, 'The test of this project fails. Make it pass.')
  await agent.end()
  return withoutPlace(recorded(), cwd, sessionId)
}

/** Takes note of the messages both ways in their order, those before included. */
function record(agent: CheckedAgent): () => Recorded[] {
  const sent: { at: number; msg: Frame }[] = agent.sent.map((msg, index) => ({ at: index, msg }))
  const send = agent.send.bind(agent)
  agent.send = message => {
    sent.push({ at: agent.frames.length, msg: { jsonrpc: '2.0', ...message } })
    send(message)
  }
  return () => {
    const all: Recorded[] = []
    for (let at = 0; at <= agent.frames.length; at++) {
      for (const { msg } of sent.filter(one => one.at === at)) all.push({ dir: 'in', msg })
      if (at < agent.frames.length) all.push({ dir: 'out', msg: agent.frames[at] })
    }
    return all
  }
}

function withoutPlace(recorded: readonly Recorded[], cwd: string, sessionId: string): string[] {
  const ids = new Map<string, string>()
  const rename = (id: string) => {
    if (!ids.has(id)) ids.set(id, `00000000-0000-4000-8000-${`${ids.size + 1}`.padStart(12, '0')}`)
    return ids.get(id) ?? id
  }
  return recorded.map(line =>
    JSON.stringify(line)
      .replaceAll(JSON.stringify(cwd).slice(1, -1), PROJECT)
      .replaceAll(sessionId, SESSION)
      .replaceAll(sessionId.slice(0, 8), SESSION.slice(0, 8))
      .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, id => (id === SESSION ? id : rename(id))),
  )
}
